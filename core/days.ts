/** Calendar days, written `YYYY-MM-DD`. The day of a time is always its day in UTC, in every view, file and email. */
import { sentences } from "./language/catalog.ts";
import { dayFormatter } from "./language/formats.ts";
import { languageCode } from "./language/spoken.ts";

export const lastDay = "2999-12-31";

/**
 * Tells whether a text is a day from 1900 to 2999, written `YYYY-MM-DD`. Other years are typing errors, or mean
 * "never"; years after 9999 would have five digits. `Date.parse` is no test, because it takes the 30th of February for
 * the 2nd of March.
 */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < "1900" || text > lastDay) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export const dayRefusals = sentences("core.days", { form: "Write the date as YYYY-MM-DD, from 1900 to 2999" });

/**
 * Parses a day, or the moment at which a day starts in UTC. Returns null for any other moment, because its day depends
 * on the time zone.
 */
export function readDay(input: string): string | null {
  const [, day = ""] = /^(\d{4}-\d{2}-\d{2})(?:T00:00(?::00(?:\.0+)?)?(?:Z|\+00:00))?$/.exec(input) ?? [];
  return isDay(day) ? day : null;
}

/** Returns the day of a stored time, or a day unchanged. @param at ISO 8601 */
export function dayOf(at: string): string {
  return isDay(at) ? at : new Date(at).toISOString().slice(0, 10);
}

/** Returns the moment at which a day starts, in UTC. */
export function dayStart(day: string): string {
  return `${day}T00:00:00.000Z`;
}

/**
 * Creates a function that writes the day of a time for a reader: 'Jan 5, 2026'; with `month`, without the day. @param
 * locale returns the locale, which can change
 */
export function createDayWriter(locale: () => string, parts: "whole" | "month" = "whole"): (at: string) => string {
  return (at) => dayFormatter(locale(), parts).format(Date.parse(dayOf(at)));
}

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Writes a day for paper with the month as a word: `2027-03-09…` → `9 Mar 2027`, so that readers can't confuse day and
 * month. Other texts stay unchanged.
 */
export function paperDay(at: string): string {
  if (!isDay(at) && Number.isNaN(Date.parse(at))) return at;
  if (languageCode() !== "en") return createDayWriter(languageCode)(at);
  const [year = "", month, day] = dayOf(at).split("-");
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}
