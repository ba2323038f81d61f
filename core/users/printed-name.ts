/**
 * Returns the name of a person for signatures, with the username, which is unique and never changes: `Ada Lovelace
 * (ada)`.
 * @param username missing in records from before usernames were stored
 */
export function printedName({ name, username }: { name: string; username?: string | null | undefined }): string {
  return username ? `${name} (${username})` : name;
}
