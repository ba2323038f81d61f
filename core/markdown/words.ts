const atMost = 4_000;
/** Characters of a word that are kept; what is searched for is cut the same. */
export const longestWord = 40;

/**
 * The words a search finds a text by: lower case, without diacritics (NFKD), distinct, single characters too ("step 5").
 * At most 4,000 words of at most 40 characters, in the order of their first appearance.
 */
export function searchWords(texts: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of foldText(text).matchAll(/[\p{L}\p{N}]+/gu)) {
      words.add(word.slice(0, longestWord));
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
