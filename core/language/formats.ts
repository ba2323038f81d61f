/** Numbers, lists and dates by the language. Making an `Intl` object takes long, so each is made once. */
import { languageCode } from "./spoken.ts";

const made = new Map<string, unknown>();

function once<T>(kind: string, locale: unknown, options: object | undefined, make: () => T): T {
  const key = `${kind} ${String(locale)} ${JSON.stringify(options ?? {})}`;
  if (!made.has(key)) made.set(key, make());
  return made.get(key) as T;
}

/** As messages need them. */
export const formatter = {
  getNumberFormat: (locale?: Intl.LocalesArgument, options?: Intl.NumberFormatOptions) =>
    once("number", locale, options, () => new Intl.NumberFormat(locale, options)),
  getDateTimeFormat: (locale?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) =>
    once("date", locale, options, () => new Intl.DateTimeFormat(locale, options)),
  getPluralRules: (locale?: Intl.LocalesArgument, options?: Intl.PluralRulesOptions) =>
    once("plural", locale, options, () => new Intl.PluralRules(locale, options)),
};

/** '12,345' */
export function numberText(value: number, options?: Intl.NumberFormatOptions): string {
  return formatter.getNumberFormat(languageCode(), options).format(value);
}

/** 'in 15 minutes', '2 hours ago' */
export function relativeText(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  const locale = languageCode();
  return once("relative", locale, undefined, () => new Intl.RelativeTimeFormat(locale)).format(value, unit);
}

/** 'Ann, Ben, and Cem' */
export function listText(items: Iterable<string>): string {
  const locale = languageCode();
  return once("list", locale, undefined, () => new Intl.ListFormat(locale)).format(items);
}
