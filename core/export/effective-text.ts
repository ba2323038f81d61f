/**
 * A first publication may name an effective date of the past. Wherever the date is shown, it says so: readers must not take
 * it for the day on which the text was approved.
 */

/**
 * @param day `2020-01-01`
 * @param published the day of the publication; null if it is not known
 */
export function isBackdated(day: string, published: string | null): boolean {
  return published !== null && day < published;
}

export const beforePublication = "before its publication";

/** @param write how a day is written there */
export function effectiveText(day: string, published: string | null, write: (day: string) => string): string {
  return isBackdated(day, published) ? `${write(day)}, ${beforePublication}` : write(day);
}

/** A file doesn't know its publication, and anyone can write a date into it. */
export function effectiveTextOfFile(day: string, write: (day: string) => string = String): string {
  return `${write(day)}, as its file states`;
}
