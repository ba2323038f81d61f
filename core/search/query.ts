/** What was asked for, as terms: each is found by any of its alternatives. */
import { wordsOf, type Word } from "./analyse.ts";

export interface QueryTerm {
  /** As it was typed, folded. */
  raw: string;
  /** The beginning of a word is enough: it may still be typed. */
  isPrefix: boolean;
  /** Other ways to say it, each a set of words that all have to be there: the parts of a compound, synonyms. */
  alternatives: readonly (readonly string[])[];
  /** Where it stands in the question. */
  start: number;
  end: number;
}

export interface Query {
  text: string;
  /** Empty: nothing was asked for. Null: there is text but no word in it, which finds nothing. */
  terms: readonly QueryTerm[] | null;
}

export interface QueryOptions {
  /** `all`: every word may be the beginning of one, and none is left out, as filters of lists have it. */
  prefixes?: "last" | "all";
  /** Groups of terms of one meaning, of a company's glossary. */
  synonyms?: readonly (readonly string[])[];
}

const termsAtMost = 8;

/** Words that ask, not words that are asked for. */
const empty = new Set(
  (
    "a an and are as at be been by can could did do does for from get had has have how i if in into is it its me my of on or our " +
    "shall should so that the their them then there these they this to us was we what when where which who whom why will with would you your"
  ).split(" "),
);

/** Is this a word that means nothing by itself? */
export function isEmptyWord(word: string): boolean {
  return empty.has(word);
}

/** Words of a question that mean something; the beginning that is typed last is one. Never throws. */
export function parseQuery(text: string, { prefixes = "last", synonyms = [] }: QueryOptions = {}): Query {
  if (text.trim() === "") return { text, terms: [] };
  const words = wordsOf(text);
  if (words.length === 0) return { text, terms: null };
  const { whole, parts } = compounds(words);
  const meant = prefixes === "all" ? whole : meaningful(whole);
  const kept = distinct(meant).slice(0, termsAtMost);
  const hasLonger = kept.some((word) => word.text.length > 1);
  const last = words.reduce((end, word) => Math.max(end, word.end), 0);
  const isTyping = !/\s$/.test(text);
  return {
    text,
    terms: kept.map((word) => ({
      raw: word.text,
      isPrefix: (prefixes === "all" || (isTyping && word.end === last)) && mayBegin(word.text, hasLonger),
      alternatives: [...(parts.get(word) ?? []), ...sayings(word.text, synonyms)],
      start: word.start,
      end: word.end,
    })),
  };
}

/** A single letter or digit begins too many words, so alone it is a whole one; beside longer ones a letter is about to be typed. */
function mayBegin(word: string, hasLonger: boolean): boolean {
  return hasLonger ? !/^\d$/.test(word) : !/^[a-z\d]$/.test(word);
}

/** A compound stands for its parts. */
function compounds(words: readonly Word[]): { whole: Word[]; parts: Map<Word, string[][]> } {
  const parts = new Map<Word, string[][]>();
  const whole = words.filter(
    (word) => !words.some((other) => other !== word && other.start <= word.start && other.end >= word.end),
  );
  for (const word of whole) {
    const inside = words.filter((other) => other !== word && other.start >= word.start && other.end <= word.end);
    if (inside.length > 0) parts.set(word, [inside.map(({ text }) => text)]);
  }
  return { whole, parts };
}

function meaningful(words: readonly Word[]): readonly Word[] {
  const meant = words.filter(({ text }) => !empty.has(text));
  return meant.length > 0 ? meant : words;
}

function distinct(words: readonly Word[]): Word[] {
  const seen = new Map<string, Word>();
  // of a word asked for twice the last counts: it may be the one being typed
  for (const word of words) seen.set(word.text, word);
  return words.filter((word) => seen.get(word.text) === word);
}

function sayings(word: string, synonyms: readonly (readonly string[])[]): string[][] {
  const groups = synonyms.map((group) => group.map((saying) => wordsOf(saying).map(({ text }) => text)));
  return groups
    .filter((group) => group.some((saying) => saying.length === 1 && saying[0] === word))
    .flatMap((group) => group.filter((saying) => saying.length > 0 && !(saying.length === 1 && saying[0] === word)));
}

/** The question with some of its terms said otherwise, as it is shown: "Showing results for …". */
export function replaceTerms(query: Query, corrections: ReadonlyMap<QueryTerm, string>): string {
  let text = query.text;
  const places = [...corrections].sort(([one], [other]) => other.start - one.start);
  for (const [{ start, end }, word] of places) text = text.slice(0, start) + word + text.slice(end);
  return text.trim().replace(/\s+/g, " ");
}
