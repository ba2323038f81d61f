/** A company's glossary applied to a query: the words that mean the same as others. */
import type { Glossary } from "../companies/glossary.ts";
import { stemOf, wordsOf, type Word } from "./analyse.ts";

/** Words one after another in a question that a glossary has other sayings of. */
export interface Synonyms {
  /** Places in the question's words, from and including. */
  first: number;
  last: number;
  /** The other sayings, each as its words. */
  others: string[][];
}

/** A word and the words it is made of: "lock-out" is lock and out. */
export interface Compounds {
  words: readonly Word[];
  parts: ReadonlyMap<Word, readonly string[]>;
}

/** A compound matches its parts. */
export function compoundsOf(words: readonly Word[]): Compounds {
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

/** The longest sayings first to last; a word belongs to one of them at most. */
export function synonymsIn({ words, parts }: Compounds, glossary: Glossary): Synonyms[] {
  if (glossary.length === 0) return [];
  const { rowsBy, longest } = read(glossary);
  const stems = words.map((word) => (parts.get(word) ?? [word.text]).map(stem).join(" "));
  const sayings: Synonyms[] = [];
  for (let first = 0; first < words.length; first++) {
    const most = Math.min(words.length, first + longest) - 1;
    for (let last = most; last >= first; last--) {
      const key = stems.slice(first, last + 1).join(" ");
      const rows = rowsBy.get(key);
      if (!rows) continue;
      const others = rows.flatMap((row) => row.filter((way) => way.key !== key).flatMap((way) => way.words));
      sayings.push({ first, last, others: distinct(others) });
      first = last;
      break;
    }
  }
  return sayings;
}

interface Way {
  /** Stems with spaces between them. */
  key: string;
  /** As it is written, and with its compounds taken apart. */
  words: string[][];
}

interface Read {
  rowsBy: ReadonlyMap<string, readonly (readonly Way[])[]>;
  /** Words of the longest saying. */
  longest: number;
}

/** Glossaries are few and long-lived; each is read once. */
const known = new WeakMap<Glossary, Read>();

function read(glossary: Glossary): Read {
  const before = known.get(glossary);
  if (before) return before;
  const rowsBy = new Map<string, Way[][]>();
  let longest = 1;
  for (const row of glossary) {
    const ways = row.map(wayOf).filter(({ key }) => key !== "");
    for (const key of new Set(ways.map((way) => way.key))) {
      rowsBy.set(key, [...(rowsBy.get(key) ?? []), ways]);
      longest = Math.max(longest, key.split(" ").length);
    }
  }
  const made = { rowsBy, longest };
  known.set(glossary, made);
  return made;
}

function wayOf(saying: string): Way {
  const { words, parts } = compoundsOf(wordsOf(saying));
  const written = words.map(({ text }) => text);
  const apart = words.flatMap((word) => parts.get(word) ?? [word.text]);
  return { key: apart.map(stem).join(" "), words: parts.size === 0 ? [written] : [written, apart] };
}

function stem(word: string): string {
  return stemOf(word, "en");
}

function distinct(ways: readonly string[][]): string[][] {
  return [...new Map(ways.map((words) => [words.join(" "), words])).values()];
}
