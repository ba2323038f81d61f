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

export const beforePublication = "before its publication";

/** @param write formats a day */
export function effectiveText(day: string, published: string | null, write: (day: string) => string): string {
  return isBackdated(day, published) ? `${write(day)}, ${beforePublication}` : write(day);
}

/**
 * A file doesn't contain its publication date, and anyone can write an effective date into it. So the text names the
 * file as its source.
 */
export function effectiveTextOfFile(day: string, write: (day: string) => string = String): string {
  return `${write(day)}, as its file states`;
}
