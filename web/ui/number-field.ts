/** `register("months", numberOrNull)`: an empty field asks for nothing. */
export const numberOrNull = {
  setValueAs: (value: unknown) => (value === "" || value === null || value === undefined ? null : Number(value)),
};
