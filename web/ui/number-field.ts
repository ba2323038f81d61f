/** Options for `register("months", numberOrNull)`: an empty field gives null. */
export const numberOrNull = {
  setValueAs: (value: unknown) => (value === "" || value === null || value === undefined ? null : Number(value)),
};
