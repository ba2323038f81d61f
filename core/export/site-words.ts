/**
 * Returns the words of a text or question, as the search of an exported site stores them. The source of this function
 * is put into the page, so it must use nothing from outside. Text in scripts without spaces becomes pairs of letters,
 * because browsers split such text differently.
 */
export function siteWords(text: string): string[] {
  const letters: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ı: "i" };
  const unspaced =
    /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
  // remove marks of direction, joiners and soft hyphens, because they are invisible inside words
  const hidden =
    /\u034f|\p{Variation_Selector}|[\u00ad\u061c\u200b-\u200f\u2060-\u2064\u2066-\u2069\u202a-\u202e\ufeff]/gu;
  const plain = text
    .replace(hidden, "")
    .replace(/[\u2019\u02bc]/g, "'")
    .replace(/[\u2010\u2011]/g, "-");
  const words: string[] = [];
  for (const [found] of plain.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'-]*/gu)) {
    const run = found
      .normalize("NFKC")
      .toLowerCase()
      .normalize("NFD")
      .replace(/[\u0300-\u036f\s]+/g, "")
      .replace(/[ßæœøđłı]/g, (letter) => letters[letter] ?? letter)
      .normalize("NFC");
    for (const block of run.match(unspaced) ?? []) {
      const signs = [...block];
      for (const [index, sign] of signs.entries()) {
        words.push(sign);
        if (index > 0) words.push((signs[index - 1] ?? "") + sign);
      }
    }
    for (const spaced of run.replace(unspaced, " ").split(/\s+/)) {
      const parts = spaced
        .split("-")
        .map((part) =>
          part
            .replace(/^'+/, "")
            .replace(/'s$/, "")
            .replaceAll("'", "")
            .replace(/^0+(?=\d+$)/, ""),
        )
        .filter((part) => part !== "");
      // split a number and its unit into two words: 5ml
      for (const part of parts)
        for (const one of part.replace(/^(?!\d+(?:st|nd|rd|th)$)\d+(?=[a-z\u03bc\u03c9]{1,4}$)/, "$& ").split(" "))
          words.push(one.replace(/^0+(?=\d+$)/, "").slice(0, 40));
      // add the joined spelling, so that lock-out and lockout match
      if (parts.length > 1 && parts.length < 4 && parts.some((part) => /\D/.test(part)))
        words.push(parts.join("").slice(0, 40));
    }
  }
  return words;
}
