/**
 * Matches control characters, zero-width characters, characters that change the text direction, and tag characters.
 * Joiners stay, because some scripts need them.
 */
const unseen = /(?![\n\t])[\p{Cc}\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Removes invisible characters, because a person reads a model's words before accepting them, and must see all of them.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(unseen, "");
}
