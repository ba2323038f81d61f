/** Splits text into folded words, with a fast method for ASCII, which most text is, and another one for the rest. */
import { foldWord } from "../text/fold.ts";

export interface Word {
  /** The folded word: in lower case, without diacritics. */
  text: string;
  start: number;
  end: number;
}

/** The maximum length of a word. Words of documents and of queries are cut there. */
const longestWord = 40;

const asciiWord = /[A-Za-z0-9]+(?:'[A-Za-z0-9]+)*/g;
const unicodeWord = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:'[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
/** Matches scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const hangul = /[가-힣]/;
const hangulPair = /(?=([가-힣]{2}))./g;

export function wordsOfAsciiText(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(asciiWord)) {
    const [found] = match;
    const end = match.index + found.length;
    const unit = unitStartIn(text, match.index, end);
    if (unit > match.index)
      words.push({ text: foldedSearchWord(text.slice(match.index, unit)), start: match.index, end: unit });
    words.push({ text: foldedSearchWord(text.slice(unit, end)), start: unit, end });
  }
  return withCompounds(text, words);
}

export function wordsOfUnicodeText(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(unicodeWord)) {
    const [found] = match;
    for (const part of wordPartsOf(found)) {
      const start = match.index + part.start;
      const end = start + part.text.length;
      const unit = unitStartIn(text, start, end);
      if (unit > start) words.push({ text: foldedSearchWord(text.slice(start, unit)), start, end: unit });
      words.push({ text: foldedSearchWord(text.slice(unit, end)), start: unit, end });
    }
  }
  return withCompounds(text, words);
}

const glued = /^(?!\d+(?:st|nd|rd|th)$)\d+(?=[a-z\u00b5\u03bc\u03a9]{1,4}$)/i;

/**
 * The index at which the unit of a number begins, because `5ml` means `5 ml`. Parts of a compound stay whole. @returns
 * `from` if there is no unit
 */
export function unitStartIn(text: string, from: number, to: number): number {
  const first = text.charCodeAt(from);
  if (first < 48 || first > 57 || text[from - 1] === "-" || text[to] === "-") return from;
  return from + (glued.exec(text.slice(from, to))?.[0].length ?? 0);
}

const oneWord = new RegExp(unicodeWord.source, "uy");

/** The letters, digits and marks from this index on; empty if another character is there. */
export function wordRunAt(text: string, from: number): string {
  oneWord.lastIndex = from;
  return oneWord.exec(text)?.[0] ?? "";
}

let segmenter: Intl.Segmenter | undefined;

interface WordPart {
  start: number;
  text: string;
}

/** The words of a run of letters: one word, or several in scripts without spaces. */
export function wordPartsOf(run: string): WordPart[] {
  const parts = wordSegmentsOf(run);
  return hangul.test(run) ? parts.flatMap(withSyllablePairs) : parts;
}

/** Returns the pairs of syllables in a Korean word, then the whole word, because no dictionary splits Korean. */
function withSyllablePairs({ start, text }: WordPart): WordPart[] {
  if (text.length < 3) return [{ start, text }];
  const pairs = Array.from(text.matchAll(hangulPair), ({ 1: pair = "", index }) => ({
    start: start + index,
    text: pair,
  }));
  return [...pairs, { start, text }];
}

function wordSegmentsOf(run: string): WordPart[] {
  if (!unspaced.test(run)) return run === "" ? [] : [{ start: 0, text: run }];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return [...segmenter.segment(run)]
    .filter(({ segment }) => segment !== "'")
    .map(({ index, segment }) => ({ start: index, text: segment }));
}

/**
 * Folds a word. Some characters are whole phrases when folded (`ﷺ`); their spaces are removed, so that they stay one
 * word.
 */
export function foldedSearchWord(word: string): string {
  return withoutWordEndings(foldWord(word).replace(/\s+/gu, ""));
}

/** Removes endings such as `'s` of `operator's`, and leading zeros: `0042` becomes 42. */
function withoutWordEndings(word: string): string {
  let text = word;
  if (text.includes("'")) text = text.replace(/'s$/, "").replaceAll("'", "");
  if (text.charCodeAt(0) === 48) text = text.replace(/^0+(?=\d+$)/, "");
  return text.length > longestWord ? text.slice(0, longestWord) : text;
}

const partsAtMost = 3;

/** Joins hyphenated parts into one word; null for many parts, and for digits alone. */
export function joinedCompoundOf(parts: readonly string[]): string | null {
  if (parts.length < 2 || parts.length > partsAtMost || parts.every((part) => /^\d+$/.test(part))) return null;
  return parts.join("").slice(0, longestWord);
}

/** Adds each hyphenated word also as one word, so that both spellings match: `lock-out`, `e-mail`. */
function withCompounds(text: string, words: Word[]): Word[] {
  if (!/-/.test(text)) return words;
  const all: Word[] = [];
  for (let at = 0; at < words.length;) {
    let end = at + 1;
    while (end < words.length && isHyphenated(text, words[end - 1], words[end])) end++;
    const run = words.slice(at, end);
    all.push(...run);
    const joined = joinedCompoundOf(run.map(({ text: part }) => part));
    const [first, last] = [run[0], run.at(-1)];
    if (joined !== null && first && last) all.push({ text: joined, start: first.start, end: last.end });
    at = end;
  }
  return all;
}

function isHyphenated(text: string, one: Word | undefined, next: Word | undefined): boolean {
  return one !== undefined && next?.start === one.end + 1 && /-/.test(text[one.end] ?? "");
}
