/**
 * Analyzes text for the search: words with their offsets, folded, and their stems. Documents and questions are analyzed
 * alike.
 */
import { englishStem, wordNumbersIn, textOfWord } from "./lexicon.ts";
import { ascii, invisible } from "../text/fold.ts";
import { wordsOfAsciiText, wordsOfUnicodeText, type Word } from "./words.ts";

export type { Word } from "./words.ts";

/**
 * The version of the index entries. Increase it with every change of their content, also of `plainText` and of
 * `chunks.ts`, so that older indexes are rebuilt.
 */
export const analyserVersion = 7;

/** The language whose stems the index stores. A text in another language than English has no stems. */
export type StemLanguage = "en" | "none";

const printed = /[\u00a0\u2010-\u2027\u2032-\u2037\u20ac\u2190-\u21ff\u2022]/g;

/** Replaces typographic characters by plain ones of the same length, so that most text is ASCII. */
function withPlainSigns(text: string): string {
  return text.replace(printed, (sign) => (sign === "’" ? "'" : sign === "‐" || sign === "‑" ? "-" : " "));
}

/** The words of a text in their order, with compounds after their parts. Offsets are UTF-16 units of `text`. */
export function searchWordsOf(text: string): Word[] {
  if (ascii.test(text)) return wordsOfAsciiText(text);
  const places: number[] = [];
  const seen = text.replace(invisible, (_sign, at: number) => {
    places.push(at);
    return "";
  });
  const plain = withPlainSigns(seen);
  const words = ascii.test(plain) ? wordsOfAsciiText(plain) : wordsOfUnicodeText(plain);
  return places.length === 0 ? words : words.map((word) => withOriginalOffsets(word, places));
}

/** Moves the offsets of a word. @param places the offsets of characters that were removed, in order */
function withOriginalOffsets(word: Word, places: readonly number[]): Word {
  const originalOffset = (at: number, isEnd: boolean): number => {
    let index = 0;
    while (index < places.length && (places[index] ?? 0) - index < at + (isEnd ? 0 : 1)) index += 1;
    return at + index;
  };
  return { text: word.text, start: originalOffset(word.start, false), end: originalOffset(word.end, true) };
}

/** The words of a text as in `searchWordsOf`, without their offsets. */
export function wordTextsOf(text: string): string[] {
  return wordNumbersOf(text).flat().map(textOfWord);
}

/** The words of several texts as numbers of the lexicon, for an index. */
export function wordNumbersOf(...texts: readonly string[]): number[][] {
  return wordNumbersIn(texts.map((text) => (ascii.test(text) ? text : withPlainSigns(text.replace(invisible, "")))));
}

/** @param word as folded by `searchWordsOf` */
export function stemInLanguage(word: string, language: StemLanguage): string {
  return language === "none" ? word : englishStem(word);
}

const frequent = new Set(["the", "and", "of", "to", "is", "in", "for", "or", "with", "that", "be", "this", "not"]);
const sampleWords = 200;
const tooFewToTell = 12;

/** Returns the stem language of a document. @param lang the document's stated language; without it, the words decide */
export function stemLanguageOf(lang: string | null | undefined, words: readonly string[]): StemLanguage {
  if (lang !== null && lang !== undefined && lang !== "") return /^en(g|$|-)/i.test(lang) ? "en" : "none";
  const sample = words.slice(0, sampleWords);
  if (sample.length < tooFewToTell) return "en";
  return sample.filter((word) => frequent.has(word)).length * 25 >= sample.length ? "en" : "none";
}
