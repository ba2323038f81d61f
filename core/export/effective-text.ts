import { catalog } from "../language/catalog.ts";

/**
 * A first publication may name a past effective date. Every place that shows such a date says so, because readers must
 * not take it for the day of the approval.
 */

/**
 * @param day the effective date: `2020-01-01`
 * @param published the day of the publication; null if it is not known
 */
export function isBackdated(day: string, published: string | null): boolean {
  return published !== null && day < published;
}

const texts = catalog("core.export.dates", {
  backdated: "{day}, before its publication",
  ofFile: "{day}, as its file states",
});

/** @param day the effective date as people read it */
export function backdatedText(day: string): string {
  return texts.backdated({ day });
}

/** @param write formats a day */
export function effectiveText(day: string, published: string | null, write: (day: string) => string): string {
  return isBackdated(day, published) ? backdatedText(write(day)) : write(day);
}

/**
 * A file doesn't contain its publication date, and anyone can write an effective date into it. So the text names the
 * file as its source.
 */
export function effectiveTextOfFile(day: string, write: (day: string) => string = String): string {
  return texts.ofFile({ day: write(day) });
}
