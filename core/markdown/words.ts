/** Lower case without diacritics, so that "Prüfung" and "prufung" are one. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}
