/** One record for each user and SOP: favorite, last opened. */
export function sopUseId(userId: string, sopId: string): string {
  return `${userId}:${sopId}`;
}
