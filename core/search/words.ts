/** Splits text into folded words: one way for ASCII, which most text is, one for everything else. */

export interface Word {
  /** Folded: lower case, without diacritics. */
  text: string;
  start: number;
  end: number;
}

/** Characters of a word that are kept; what is searched for is cut the same. */
export const longestWord = 40;

const asciiWord = /[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*/g;
const unicodeWord = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:'[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
/** Scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export function asciiWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(asciiWord)) {
    const [found] = match;
    words.push({ text: trimmed(found.toLowerCase()), start: match.index, end: match.index + found.length });
  }
  return withCompounds(text, words);
}

export function unicodeWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(unicodeWord)) {
    const [found] = match;
    const parts = unspaced.test(found) ? segments(found) : [{ start: 0, text: found }];
    for (const part of parts) {
      const start = match.index + part.start;
      words.push({ text: trimmed(fold(part.text)), start, end: start + part.text.length });
    }
  }
  return withCompounds(text, words);
}

let segmenter: Intl.Segmenter | undefined;

function segments(run: string): { start: number; text: string }[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return [...segmenter.segment(run)].map(({ index, segment }) => ({ start: index, text: segment }));
}

const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  ı: "i",
};

/** "Prüfung", "PRUFUNG" and full-width forms are one; the marks of other scripts carry meaning and stay. */
export function fold(word: string): string {
  return word
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]+/g, "")
    .replace(/[ßæœøđłı]/g, (letter) => letters[letter] ?? letter)
    .normalize("NFC");
}

/** `operator's` is of the operator; `0042` is 42. */
function trimmed(word: string): string {
  let text = word;
  if (text.includes("'")) text = text.replace(/'s$/, "").replaceAll("'", "");
  if (text.charCodeAt(0) === 48) text = text.replace(/^0+(?=\d+$)/, "");
  return text.length > longestWord ? text.slice(0, longestWord) : text;
}

const partsAtMost = 3;
const compound = /[a-z0-9]+(?:'[a-z0-9]+)*(?:-[a-z0-9]+(?:'[a-z0-9]+)*)+/g;

/** What `asciiWords` finds, without the places and compounds last: an index is made of millions of words. */
export function asciiTexts(text: string): string[] {
  const lower = text.toLowerCase();
  const words: string[] = lower.match(/[a-z0-9]+(?:'[a-z0-9]+)*/g) ?? [];
  for (let at = 0; at < words.length; at++) words[at] = trimmed(words[at] ?? "");
  if (!lower.includes("-")) return words;
  for (const run of lower.match(compound) ?? []) {
    const parts = run.split("-").map(trimmed);
    if (parts.length <= partsAtMost && parts.some((part) => !/^\d+$/.test(part))) {
      words.push(parts.join("").slice(0, longestWord));
    }
  }
  return words;
}

/** What a hyphen joins is found written in one word too: `lock-out`, `e-mail`. */
function withCompounds(text: string, words: Word[]): Word[] {
  if (!/-/.test(text)) return words;
  const all: Word[] = [];
  for (let at = 0; at < words.length;) {
    let end = at + 1;
    while (end < words.length && isJoined(text, words[end - 1], words[end])) end++;
    const run = words.slice(at, end);
    all.push(...run);
    const [first, last] = [run[0], run.at(-1)];
    const isName = run.some(({ text: part }) => !/^\d+$/.test(part));
    if (first && last && run.length > 1 && run.length <= partsAtMost && isName) {
      const joined = run.map(({ text: part }) => part).join("");
      all.push({ text: joined.slice(0, longestWord), start: first.start, end: last.end });
    }
    at = end;
  }
  return all;
}

function isJoined(text: string, one: Word | undefined, next: Word | undefined): boolean {
  return one !== undefined && next?.start === one.end + 1 && /-/.test(text[one.end] ?? "");
}
