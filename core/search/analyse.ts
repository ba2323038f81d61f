/** Text as search sees it: words with their places, folded, and their stems. The same for documents and questions. */
import { stemmer } from "stemmer";
import { asciiWords, unicodeWords, type Word } from "./words.ts";

export type { Word } from "./words.ts";

/** Raised with every change of what this analyser makes of a text: an index made by another one is made anew. */
export const analyserVersion = 1;

/** Stems are English or none: a stemmer of the wrong language hurts more than it helps (research ai-search.md §5.6). */
export type StemLanguage = "en" | "none";

const ascii = /^[\0-\u007f]*$/;

/** The words of a text in their order, compounds after their parts. Offsets are UTF-16 units of `text`. */
export function wordsOf(text: string): Word[] {
  return ascii.test(text) ? asciiWords(text) : unicodeWords(text);
}

const keptStems = 50_000;
const stems = new Map<string, string>();

/** @param word as `wordsOf` folded it */
export function stemOf(word: string, language: StemLanguage): string {
  if (language === "none") return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
  if (stems.size >= keptStems) stems.clear();
  stems.set(word, stem);
  return stem;
}

const frequent = new Set(["the", "and", "of", "to", "is", "in", "for", "or", "with", "that", "be", "this", "not"]);
const sampleWords = 200;
const tooFewToTell = 12;

/** @param lang what the document says of itself; where it says nothing its words tell */
export function stemLanguageOf(lang: string | null | undefined, words: readonly Word[]): StemLanguage {
  if (lang !== null && lang !== undefined && lang !== "") return /^en(g|$|-)/i.test(lang) ? "en" : "none";
  const sample = words.slice(0, sampleWords);
  if (sample.length < tooFewToTell) return "en";
  return sample.filter(({ text }) => frequent.has(text)).length * 25 >= sample.length ? "en" : "none";
}
