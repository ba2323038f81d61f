/** A user's recent SOPs: opened or changed by this user within a range that ends now (`docs/spec/entities.md`). */
export const recentRanges = ["today", "week", "month", "quarter", "all"] as const;
export type RecentRange = (typeof recentRanges)[number];

const dayMs = 24 * 3600 * 1000;
const days = { today: 1, week: 7, month: 30, quarter: 91 } as const;

/**
 * The earliest moment that counts. `today` is the last 24 hours, because the server doesn't know the user's time zone.
 * @param now milliseconds
 * @returns an ISO time; for `all` one before everything
 */
export function recentSince(range: RecentRange, now: number): string {
  return new Date(range === "all" ? 0 : now - days[range] * dayMs).toISOString();
}
