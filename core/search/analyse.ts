/** Text as search sees it: words with their places, folded, and their stems. The same for documents and questions. */
import { englishStem, knownWords, wordText } from "./lexicon.ts";
import { ascii } from "./fold.ts";
import { asciiWords, unicodeWords, type Word } from "./words.ts";

export type { Word } from "./words.ts";

/** Raise it with every change of this analyser's output: indexes of another version are rebuilt. */
export const analyserVersion = 3;

/** Stems are English or none: a stemmer of the wrong language hurts more than it helps. */
export type StemLanguage = "en" | "none";

const printed = /[\u00a0\u2010-\u2027\u2032-\u2037\u20ac\u2190-\u21ff\u2022]/g;

/** Signs that word processors put for plain ones, each by one character, so that most text is ASCII. */
function plainSigns(text: string): string {
  return text.replace(printed, (sign) => (sign === "’" ? "'" : sign === "‐" || sign === "‑" ? "-" : " "));
}

/** The words of a text in their order, compounds after their parts. Offsets are UTF-16 units of `text`. */
export function wordsOf(text: string): Word[] {
  if (ascii.test(text)) return asciiWords(text);
  const plain = plainSigns(text);
  return ascii.test(plain) ? asciiWords(plain) : unicodeWords(plain);
}

/** The same words without their places. */
export function wordTexts(text: string): string[] {
  return knownWordsOf(text).flat().map(wordText);
}

/** The same words of some texts as the lexicon numbers them, which is how an index takes them. */
export function knownWordsOf(...texts: readonly string[]): number[][] {
  return knownWords(texts.map((text) => (ascii.test(text) ? text : plainSigns(text))));
}

/** @param word as `wordsOf` folded it */
export function stemOf(word: string, language: StemLanguage): string {
  return language === "none" ? word : englishStem(word);
}

const frequent = new Set(["the", "and", "of", "to", "is", "in", "for", "or", "with", "that", "be", "this", "not"]);
const sampleWords = 200;
const tooFewToTell = 12;

/** @param lang the document's own language; without one, its words decide */
export function stemLanguageOf(lang: string | null | undefined, words: readonly string[]): StemLanguage {
  if (lang !== null && lang !== undefined && lang !== "") return /^en(g|$|-)/i.test(lang) ? "en" : "none";
  const sample = words.slice(0, sampleWords);
  if (sample.length < tooFewToTell) return "en";
  return sample.filter((word) => frequent.has(word)).length * 25 >= sample.length ? "en" : "none";
}
