const atMost = 4_000;
const longest = 40;

/**
 * The words a search finds a text by: lower case, without diacritics (NFKD), distinct, at least 2 characters.
 * At most 4,000 words of at most 40 characters, in the order of their first appearance.
 */
export function searchWords(texts: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of foldText(text).matchAll(/[\p{L}\p{N}]{2,}/gu)) {
      words.add(word.slice(0, longest));
      if (words.size >= atMost) return [...words];
    }
  }
  return [...words];
}

/** Lower case without diacritics, so that "Prüfung" and "prufung" are one. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}
