/** Formats times for screens (`docs/spec/screens.md`). All functions take ISO 8601. */
import { catalog } from "#core/language/catalog.ts";
import { formatter, relativeText } from "#core/language/formats.ts";
import { languageCode } from "#core/language/spoken.ts";
import { dayOf, dayStart, createDayWriter } from "#core/days.ts";

const texts = catalog("ui.time", {
  year: "{count, plural, one {# year ago} other {# years ago}}",
  month: "{count, plural, one {# month ago} other {# months ago}}",
  week: "{count, plural, one {# week ago} other {# weeks ago}}",
  day: "{count, plural, one {# day ago} other {# days ago}}",
  hour: "{count, plural, one {# hour ago} other {# hours ago}}",
  minute: "{count, number} min ago",
  now: "just now",
  utc: "{day} (UTC)",
});

/**
 * Returns a locale with the screens' language and the reader's region, for the order of dates and the clock: 'de'
 * becomes 'en-DE' in English.
 */
export function dateLocale(reader: string): string {
  const { region } = new Intl.Locale(reader).maximize();
  return new Intl.Locale(languageCode(), { region: region ?? "US" }).toString();
}

const browserDateLocale = () => dateLocale(navigator.language);

const dateTime = {
  month: "short",
  day: "numeric",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

const units: readonly [name: "year" | "month" | "week" | "day" | "hour", seconds: number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
];

/** Returns '3 days ago', '5 min ago': 13 letters at most, for columns. A future time (clocks differ) is 'just now'. */
export function timeAgo(iso: string, now: number = Date.now()): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size);
    if (count >= 1) return texts[unit]({ count });
  }
  return seconds >= 60 ? texts.minute({ count: Math.floor(seconds / 60) }) : texts.now;
}

/** Returns 'in 40 seconds', 'in 15 minutes', 'in 2 hours', always rounded up. */
export function timeUntil(seconds: number): string {
  if (seconds < 60) return relativeText(Math.max(1, Math.ceil(seconds)), "second");
  if (seconds <= 90 * 60) return relativeText(Math.ceil(seconds / 60), "minute");
  return relativeText(Math.ceil(seconds / 3600), "hour");
}

export function isPast(iso: string, now: number = Date.now()): boolean {
  return Date.parse(iso) <= now;
}

/** Returns a day as 'Jan 5, 2026', or '5 Jan 2026' for British readers, in the same form in every time zone. */
export const dateText = createDayWriter(browserDateLocale);

const monthDayText = createDayWriter(browserDateLocale, "month");

/**
 * Returns a day whose start or end matters, such as a due day, in UTC. For other time zones: 'Jan 5, 2026 (UTC)'.
 * @param parts `month` leaves out the year, if it is clear: 'Jan 5 (UTC)'
 */
export function boundaryText(day: string, parts: "whole" | "month" = "whole"): string {
  const isHere = new Date(dayStart(dayOf(day))).getTimezoneOffset() === 0;
  const text = (parts === "month" ? monthDayText : dateText)(day);
  return isHere ? text : texts.utc({ day: text });
}

/** Returns 'Jan 5, 2026, 3:04 PM GMT+1', or '5 Jan 2026, 15:04 GMT+1' for British readers. */
export function dateTimeText(iso: string): string {
  return formatter.getDateTimeFormat(browserDateLocale(), dateTime).format(Date.parse(iso));
}
