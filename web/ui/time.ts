/** Times as screens show them (`docs/spec/screens.md`). All take ISO 8601. */
const locale = dateLocale(navigator.language);
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const date = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", year: "numeric" });
const monthDay = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

/** English words, as on all screens, in the order and with the clock of the reader's region: 'de' is 'en-DE'. */
export function dateLocale(language: string): string {
  const { region } = new Intl.Locale(language).maximize();
  return region === undefined ? "en-US" : `en-${region}`;
}

const units: readonly [name: string, seconds: number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
];

/** '3 days ago', '5 min ago': 13 letters at most, for columns. A time in the future (clocks differ) is 'just now'. */
export function timeAgo(iso: string, now: number = Date.now()): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size);
    if (count >= 1) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return seconds >= 60 ? `${Math.floor(seconds / 60)} min ago` : "just now";
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

/** 'Jan 5, 2026', to a British reader '5 Jan 2026'. */
export function dateText(iso: string): string {
  return date.format(Date.parse(iso));
}

/** `2026-01-05` as 'Jan 5, 2026' in every time zone. */
export function dayText(day: string): string {
  return dateText(`${day}T12:00:00`);
}

/** `2026-12-06` as 'Dec 6' in every time zone: where the year is plain. */
export function monthDayText(day: string): string {
  return monthDay.format(Date.parse(`${day}T12:00:00`));
}

/** 'Jan 5, 2026, 3:04 PM', to a British reader '5 Jan 2026, 15:04'. */
export function dateTimeText(iso: string): string {
  return dateTime.format(Date.parse(iso));
}
