/** Control characters, zero-width signs, what turns the direction of text, tag characters. Joiners belong to letters of some scripts. */
const unseen = /(?![\n\t])[\p{Cc}\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** The visible text must be the whole text, because a person reads a model's words before they count. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(unseen, "");
}
