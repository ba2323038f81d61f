/** Applies a company's glossary to a query: finds words with the same meaning. */
import type { Glossary } from "../companies/glossary.ts";
import { searchWordsOf, type Word } from "./analyse.ts";
import { englishStem } from "./lexicon.ts";

/** Neighboring words of a query for which the glossary has synonyms. */
export interface Synonyms {
  /** The indexes of the first and the last word in the query, both included. */
  first: number;
  last: number;
  /** The synonyms, each as a list of words. */
  others: string[][];
}

/** The words of a query, and the parts of compounds: "lock-out" consists of lock and out. */
export interface Compounds {
  words: readonly Word[];
  parts: ReadonlyMap<Word, readonly string[]>;
}

/** Finds compounds and their parts, because a compound also matches its parts. */
export function findCompounds(words: readonly Word[]): Compounds {
  const parts = new Map<Word, string[]>();
  const found = words.filter(
    (word) => !words.some((other) => other !== word && other.start <= word.start && other.end >= word.end),
  );
  for (const word of found) {
    const inside = words.filter((other) => other !== word && other.start >= word.start && other.end <= word.end);
    if (inside.length > 0)
      parts.set(
        word,
        inside.map(({ text }) => text),
      );
  }
  return { words: found, parts };
}

/**
 * Finds the words with synonyms from first to last, the longest match first. Each word belongs to at most one match.
 */
export function findSynonyms({ words, parts }: Compounds, glossary: Glossary): Synonyms[] {
  if (glossary.length === 0) return [];
  const { rowsBy, longest } = indexGlossary(glossary);
  const stems = words.map((word) => (parts.get(word) ?? [word.text]).map(englishStem).join(" "));
  const sayings: Synonyms[] = [];
  for (let first = 0; first < words.length; first++) {
    const most = Math.min(words.length, first + longest) - 1;
    for (let last = most; last >= first; last--) {
      const key = stems.slice(first, last + 1).join(" ");
      const rows = rowsBy.get(key);
      if (!rows) continue;
      const others = rows.flatMap((row) => row.filter((way) => way.key !== key).flatMap((way) => way.words));
      sayings.push({ first, last, others: distinctWordLists(others) });
      first = last;
      break;
    }
  }
  return sayings;
}

interface SynonymForm {
  /** The stems, separated by spaces. */
  key: string;
  /** The words as written, and with compounds split into their parts. */
  words: string[][];
}

interface SynonymTable {
  rowsBy: ReadonlyMap<string, readonly (readonly SynonymForm[])[]>;
  /** The number of words in the longest entry. */
  longest: number;
}

/** Parsed glossaries. They are few and long-lived, so each is parsed once. */
const known = new WeakMap<Glossary, SynonymTable>();

function indexGlossary(glossary: Glossary): SynonymTable {
  const before = known.get(glossary);
  if (before) return before;
  const rowsBy = new Map<string, SynonymForm[][]>();
  let longest = 1;
  for (const row of glossary) {
    const ways = row.map(glossaryEntryOf).filter(({ key }) => key !== "");
    for (const key of new Set(ways.map((way) => way.key))) {
      rowsBy.set(key, [...(rowsBy.get(key) ?? []), ways]);
      longest = Math.max(longest, key.split(" ").length);
    }
  }
  const made = { rowsBy, longest };
  known.set(glossary, made);
  return made;
}

function glossaryEntryOf(saying: string): SynonymForm {
  const { words, parts } = findCompounds(searchWordsOf(saying));
  const written = words.map(({ text }) => text);
  const apart = words.flatMap((word) => parts.get(word) ?? [word.text]);
  return { key: apart.map(englishStem).join(" "), words: parts.size === 0 ? [written] : [written, apart] };
}

function distinctWordLists(ways: readonly string[][]): string[][] {
  return [...new Map(ways.map((words) => [words.join(" "), words])).values()];
}
