/**
 * Writes numbers, lists and dates in the current language. Creating an `Intl` object is slow, so each one is created
 * once.
 */
import { languageCode } from "./spoken.ts";

const made = new Map<string, unknown>();

function cachedFormat<T>(kind: string, locale: unknown, options: object | undefined, make: () => T): T {
  const key = `${kind} ${String(locale)} ${JSON.stringify(options ?? {})}`;
  if (!made.has(key)) made.set(key, make());
  return made.get(key) as T;
}

/** The cached `Intl` formatters, under the names that the message library calls. */
export const formatter = {
  getNumberFormat: (locale?: Intl.LocalesArgument, options?: Intl.NumberFormatOptions) =>
    cachedFormat("number", locale, options, () => new Intl.NumberFormat(locale, options)),
  getDateTimeFormat: (locale?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) =>
    cachedFormat("date", locale, options, () => new Intl.DateTimeFormat(locale, options)),
  getPluralRules: (locale?: Intl.LocalesArgument, options?: Intl.PluralRulesOptions) =>
    cachedFormat("plural", locale, options, () => new Intl.PluralRules(locale, options)),
};

/** Returns the formatter of calendar days in UTC: 'Jan 5, 2026' for `whole`, 'Jan 5' for `month`. */
export function dayFormatter(locale: string, parts: "whole" | "month"): Intl.DateTimeFormat {
  const year = parts === "whole" && ({ year: "numeric" } as const);
  return formatter.getDateTimeFormat(locale, { month: "short", day: "numeric", ...year, timeZone: "UTC" });
}

/** Writes a number: '12,345'. */
export function numberText(value: number, options?: Intl.NumberFormatOptions): string {
  return formatter.getNumberFormat(languageCode(), options).format(value);
}

/** Writes a relative time: 'in 15 minutes', '2 hours ago'. */
export function relativeText(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  const locale = languageCode();
  return cachedFormat("relative", locale, undefined, () => new Intl.RelativeTimeFormat(locale)).format(value, unit);
}

const shortList = 5;

/** Writes the first five items of a list as text: 'Ann, Ben, and Cem'. Further items are left out. */
export function firstItemsText(items: Iterable<string>): string {
  return listText([...items].slice(0, shortList));
}

/** Writes a list: 'Ann, Ben, and Cem'. */
export function listText(items: Iterable<string>): string {
  const locale = languageCode();
  return cachedFormat("list", locale, undefined, () => new Intl.ListFormat(locale)).format(items);
}
