/**
 * The name of a person on a signature: `Ada Lovelace (ada)`. Users choose their names, but a username is fixed and
 * unique.
 * @param username missing in records from before usernames were stored
 */
export function printedName({ name, username }: { name: string; username?: string | null | undefined }): string {
  return username ? `${name} (${username})` : name;
}
