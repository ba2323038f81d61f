/** Folds a text to lower case without diacritics, so that "Prüfung" and "prufung" are equal. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}
