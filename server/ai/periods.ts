/** Computes days and months of budgets, in UTC. */

/** Returns the day of a time, such as `2026-11-21`. */
export function dayInUtc(at: string): string {
  return at.slice(0, 10);
}

/** Returns the month of a time, such as `2026-11`. */
export function monthInUtc(at: string): string {
  return at.slice(0, 7);
}

/** Returns the end of the day or month that includes `at`, as ISO time. */
export function endOfPeriod(period: "day" | "month", at: string): string {
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return new Date(period === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)).toISOString();
}
