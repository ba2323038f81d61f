import { catalog } from "../language/catalog.ts";

/**
 * Writes effective dates. A first publication may have a past effective date; texts then say so, because readers must
 * not take it for the day of the approval.
 */

/**
 * Tells whether an effective date is before the publication. @param day the effective date: `2020-01-01`
 * @param published the day of the publication; null if it is not known
 */
export function isBackdated(day: string, published: string | null): boolean {
  return published !== null && day < published;
}

const texts = catalog("core.export.dates", {
  backdated: "{day}, before its publication",
  ofFile: "{day}, as its file states",
});

/** Returns the text for a past effective date. @param day the date as people read it */
export function backdatedText(day: string): string {
  return texts.backdated({ day });
}

/** Returns the text for an effective date. @param write formats a day */
export function effectiveText(day: string, published: string | null, write: (day: string) => string): string {
  return isBackdated(day, published) ? backdatedText(write(day)) : write(day);
}

/**
 * Returns the text for the effective date in a local file. It names the file as the source, because anyone can write a
 * date into a file.
 */
export function effectiveTextOfFile(day: string, write: (day: string) => string = String): string {
  return texts.ofFile({ day: write(day) });
}
