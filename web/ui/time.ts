/** Times as screens show them (`docs/spec/screens.md`). All take ISO 8601. */
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const date = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric" });
const dateTime = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

const units: readonly [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** '3 days ago'; a time that is not over yet (clocks differ) is 'less than a minute ago'. */
export function timeAgo(iso: string, now: number = Date.now()): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  for (const [unit, size] of units) {
    if (seconds >= size) return relative.format(-Math.floor(seconds / size), unit);
  }
  return "less than a minute ago";
}

/** 'in 40 seconds', 'in 15 minutes', 'in 2 hours': never less than it takes. */
export function timeUntil(seconds: number): string {
  if (seconds < 60) return relative.format(Math.max(1, Math.ceil(seconds)), "second");
  if (seconds <= 90 * 60) return relative.format(Math.ceil(seconds / 60), "minute");
  return relative.format(Math.ceil(seconds / 3600), "hour");
}

export function isPast(iso: string, now: number = Date.now()): boolean {
  return Date.parse(iso) <= now;
}

/** 'Jan 5, 2026' ('MMM d, yyyy'). */
export function dateText(iso: string): string {
  return date.format(Date.parse(iso));
}

/** `2026-01-05` as 'Jan 5, 2026' in every time zone. */
export function dayText(day: string): string {
  return dateText(`${day}T12:00:00`);
}

/** 'Jan 5, 2026, 3:04 PM' (medium date-time). */
export function dateTimeText(iso: string): string {
  return dateTime.format(Date.parse(iso));
}
