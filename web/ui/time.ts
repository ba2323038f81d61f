/** Times as screens show them (`docs/spec/screens.md`). All take ISO 8601. */
import { dayOf, dayStart, dayWriter } from "#core/days.ts";

const locale = dateLocale(navigator.language);
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const dateTime = new Intl.DateTimeFormat(locale, {
  month: "short",
  day: "numeric",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

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

/** 'Jan 5, 2026', to a British reader '5 Jan 2026': a day, or the day of a time. The same in every time zone. */
export const dateText = dayWriter(locale);

/** `2026-12-06` as 'Dec 6': where the year is plain. */
export const monthDayText = dayWriter(locale, "month");

/** A day that is still to start or end, for readers whose own day starts at another moment: 'Jan 5, 2026 (UTC)'. */
export function boundaryText(day: string): string {
  const isHere = new Date(dayStart(dayOf(day))).getTimezoneOffset() === 0;
  return isHere ? dateText(day) : `${dateText(day)} (UTC)`;
}

/** 'Jan 5, 2026, 3:04 PM GMT+1', to a British reader '5 Jan 2026, 15:04 GMT+1'. */
export function dateTimeText(iso: string): string {
  return dateTime.format(Date.parse(iso));
}
