/** Time ranges for the list of SOPs that a user recently opened or changed (`docs/spec/entities.md`). */
export const recentRanges = ["today", "week", "month", "quarter", "all"] as const;
export type RecentRange = (typeof recentRanges)[number];

const dayMs = 24 * 3600 * 1000;
const days = { today: 1, week: 7, month: 30, quarter: 91 } as const;

/**
 * Returns the start of a range. `today` begins 24 hours before `now`, because the server doesn't know the user's time
 * zone.
 * @param now milliseconds since the epoch
 * @returns an ISO time; for `all`, a time before all others
 */
export function recentRangeStart(range: RecentRange, now: number): string {
  return new Date(range === "all" ? 0 : now - days[range] * dayMs).toISOString();
}
