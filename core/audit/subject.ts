/** Finds the name of the record that an audit row is about, if the row contains the name. */
const fields = ["title", "name", "username", "email"] as const;

/**
 * @param changes of the row: `{field: value}`, or `{field: {from, to}}` for a changed field
 * @returns undefined if the row contains no name
 */
export function recordedName(changes: Readonly<Record<string, unknown>> | null): string | undefined {
  for (const field of fields) {
    const value = changes?.[field];
    const name = typeof value === "object" && value !== null && "to" in value ? value.to : value;
    if (typeof name === "string" && name !== "") return name;
  }
  return undefined;
}
