/** One record for each user and SOP: favorite, last opened. */
export function userSopId(userId: string, sopId: string): string {
  return `${userId}:${sopId}`;
}
