/** Splits a query into terms. A text matches a term if it has the term itself or one of its alternatives. */
import type { Glossary } from "../companies/glossary.ts";
import { isBareNumber, readNumber } from "../numbers/numbers.ts";
import { searchWordsOf, type Word } from "./analyse.ts";
import { isEmptyWord } from "./empty-words.ts";
import { searchWordsOfNumber } from "./columns.ts";
import { findCompounds, findSynonyms, type Synonyms } from "./synonyms.ts";

export { isEmptyWord } from "./empty-words.ts";

export interface QueryTerm {
  /**
   * The folded text as typed. If several words together have a synonym, they are separated by spaces, and only the
   * alternatives find them.
   */
  raw: string;
  /** True if the beginning of a word is enough, because the user may still be typing. */
  isPrefix: boolean;
  /**
   * Alternatives of the word. Each is a set of words that must all occur, such as the parts of a compound, or synonyms.
   */
  alternatives: readonly (readonly string[])[];
  /** The offset of the term in the query. */
  start: number;
  end: number;
}

export interface Query {
  text: string;
  /** Empty for an empty query. Null for text without any word, which finds nothing. */
  terms: readonly QueryTerm[] | null;
}

export interface QueryOptions {
  /** Rows of words with one meaning, from the company's glossary. */
  synonyms?: Glossary;
  /** The starts of the company's numbers, such as `SOP-`, so that a user can search for the digits alone. */
  starts?: readonly string[];
}

const termsAtMost = 8;

/** Parses a query into the words with a meaning. The last word may be unfinished. Never throws. */
export function parseQuery(text: string, { synonyms = [], starts = [] }: QueryOptions = {}): Query {
  if (text.trim() === "") return { text, terms: [] };
  const words = searchWordsOf(text);
  if (words.length === 0) return { text, terms: null };
  const compounds = findCompounds(words);
  const allWords = withSynonyms(compounds.words, findSynonyms(compounds, synonyms));
  const meant = withoutMeaninglessWords(allWords);
  const kept = distinctQueryWords(meant).slice(0, termsAtMost);
  const hasLonger = kept.some((word) => word.text.length > 1);
  const last = words.reduce((end, word) => Math.max(end, word.end), 0);
  const isTyping = !/\s$/.test(text);
  const digits = digitsOfNumberQuery(text);
  const numbers = digits === null ? [text] : starts.map((start) => start + digits);
  const number = numbers.flatMap(wordsOfNumber);
  // a whole number is no prefix: without leading zeros, SOP-0001 would also match SOP-0010
  const isWhole = digits === null && number.length > 0;
  return {
    text,
    terms: kept.map((word) => ({
      raw: word.text,
      isPrefix: !isWhole && !isPhrase(word.text) && isTyping && word.end === last && canBePrefix(word.text, hasLonger),
      alternatives: distinctAlternatives([
        ...(compoundPartsOf(word, compounds.parts) ?? []),
        ...word.alternatives,
        ...number,
      ]),
      start: word.start,
      end: word.end,
    })),
  };
}

/** Returns the digits of a query that is only a number without its start: `42`, `0042`, `#42`. Null for others. */
export function digitsOfNumberQuery(text: string): string | null {
  const digits = text.trim().replace(/^#\s*/, "");
  return isBareNumber(digits) ? digits : null;
}

/** Returns the words by which the index finds a number: `sop42` for `SOP 42` in any spelling. */
function wordsOfNumber(text: string): (readonly string[])[] {
  const number = readNumber(text);
  if (number === null) return [];
  return [
    searchWordsOfNumber(
      number,
      searchWordsOf(number).map((word) => word.text),
    ),
  ];
}

/** Tells whether a term consists of several words of the query. */
export function isPhrase(raw: string): boolean {
  return raw.includes(" ");
}

interface AlternativeWords extends Word {
  /** Other words for the same meaning. */
  alternatives: readonly (readonly string[])[];
}

/** Joins words into one term if they have a synonym together. */
function withSynonyms(words: readonly Word[], sayings: readonly Synonyms[]): AlternativeWords[] {
  const found: AlternativeWords[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    const said = sayings.find(({ first }) => first === at);
    const together = said ? words.slice(said.first, said.last + 1) : [word];
    const own = together.map(({ text }) => text);
    found.push({
      text: own.join(" "),
      start: word.start,
      end: together.at(-1)?.end ?? word.end,
      alternatives: [...(own.length > 1 ? [own] : []), ...(said?.others ?? [])],
    });
    if (said) at = said.last;
  }
  return found;
}

function compoundPartsOf({ start, end }: Word, parts: ReadonlyMap<Word, readonly string[]>): (readonly string[])[] {
  return [...parts].filter(([word]) => word.start === start && word.end === end).map(([, words]) => words);
}

function distinctAlternatives(ways: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(ways.map((words) => [words.join(" "), words])).values()];
}

/**
 * Tells whether an unfinished word can match the beginning of words. A single letter or digit can't, unless the query
 * has longer words, because too many words begin with it.
 */
function canBePrefix(word: string, hasLonger: boolean): boolean {
  return hasLonger ? !/^\d$/.test(word) : !/^[a-z\d]$/.test(word);
}

function withoutMeaninglessWords<W extends Word>(words: readonly W[]): readonly W[] {
  const meant = words.filter(({ text }) => !isEmptyWord(text));
  return meant.length > 0 ? meant : words;
}

function distinctQueryWords<W extends Word>(words: readonly W[]): W[] {
  const seen = new Map<string, W>();
  // of a repeated word, the last occurrence counts, because the user may still be typing it
  for (const word of words) seen.set(word.text, word);
  return words.filter((word) => seen.get(word.text) === word);
}

/** The query with some terms replaced, for "Showing results for …". */
export function withReplacedTerms(query: Query, corrections: ReadonlyMap<QueryTerm, string>): string {
  let text = query.text;
  const places = [...corrections].sort(([one], [other]) => other.start - one.start);
  for (const [{ start, end }, word] of places) text = text.slice(0, start) + word + text.slice(end);
  return text.trim().replace(/\s+/g, " ");
}
