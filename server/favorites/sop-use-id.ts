/** Builds the id of a user's record for an SOP: favorite, last opened. */
export function sopUseId(userId: string, sopId: string): string {
  return `${userId}:${sopId}`;
}
