/** Makes different spellings of a word equal. Browsers load this file without the rest of the search. */

export const ascii = /^[\0-\u007f]*$/;

/** Matches invisible characters, which comparisons ignore: soft hyphens, joiners, direction marks, variation selectors. */
export const invisible =
  /\u034f|\p{Variation_Selector}|[\u00ad\u061c\u200b-\u200f\u2060-\u2064\u2066-\u2069\u202a-\u202e\ufeff]/gu;

const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  ı: "i",
};

/**
 * Folds a word: "Prüfung", "PRUFUNG" and full-width forms become equal. The marks of other scripts carry meaning and
 * stay.
 */
export function foldWord(word: string): string {
  if (ascii.test(word)) return word.toLowerCase();
  return word
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]+/g, "")
    .replace(/[ßæœøđłı]/g, (letter) => letters[letter] ?? letter)
    .normalize("NFC");
}
