/** A user has one mark on an SOP. */
export function markId(userId: string, sopId: string): string {
  return `${userId}:${sopId}`;
}
