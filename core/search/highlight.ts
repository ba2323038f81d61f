/** Finds the words of a query in a text, and the part of the text to show. */
import { searchWordsOf, wordTextsOf, type Word } from "./analyse.ts";
import { englishStem } from "./lexicon.ts";
import type { Chunk } from "./chunks.ts";
import type { Query, QueryTerm } from "./query.ts";

/** The start and the end (exclusive) in UTF-16 units of the text. */
export type TextRange = [start: number, end: number];

export interface TextWithRanges {
  text: string;
  ranges: TextRange[];
}

/** Finds the term of the query that a folded word matches, also as part of a phrase; null for no match. */
export interface TermFinder {
  (word: string): QueryTerm | null;
  /** Finds the term that the word matches by itself, and not as part of a phrase. */
  alone(word: string): QueryTerm | null;
  /** Phrases of several words, as stems. They match words that follow one another. */
  sayings: readonly { term: QueryTerm; stems: readonly string[] }[];
}

export function createTermFinder({ terms }: Pick<Query, "terms">): TermFinder {
  const all = terms ?? [];
  const sayings = all.flatMap((term) =>
    term.alternatives.filter((words) => words.length > 1).map((words) => ({ term, stems: words.map(englishStem) })),
  );
  const words = all.map((term) => ({
    term,
    stems: new Set([term.raw, ...term.alternatives.filter(({ length }) => length === 1).flat()].map(englishStem)),
  }));
  const alone = withTermCache((word) => {
    const own = englishStem(word);
    const isOf = ({ raw, isPrefix }: QueryTerm) => isPrefix && word.startsWith(raw);
    return words.find(({ term, stems }) => stems.has(own) || isOf(term))?.term ?? null;
  });
  const find = withTermCache(
    (word) => alone(word) ?? sayings.find(({ stems }) => stems.includes(englishStem(word)))?.term ?? null,
  );
  return Object.assign(find, { alone, sayings });
}

function withTermCache(find: (word: string) => QueryTerm | null): (word: string) => QueryTerm | null {
  const known = new Map<string, QueryTerm | null>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const found = find(word);
    known.set(word, found);
    return found;
  };
}

export function highlightTerms(text: string, find: TermFinder): TextWithRanges & { terms: ReadonlySet<QueryTerm> } {
  const found: TextRange[] = [];
  const terms = new Set<QueryTerm>();
  const words = searchWordsOf(text);
  for (const { text: word, start, end } of words) {
    const term = find.alone(word);
    if (!term) continue;
    terms.add(term);
    found.push([start, end]);
  }
  for (const { term, range } of find.sayings.length === 0 ? [] : phraseMatchesIn(words, find)) {
    terms.add(term);
    found.push(range);
  }
  return { text, ranges: joinOverlappingRanges(found), terms };
}

/** The ranges of phrases, where all words follow one another. */
function phraseMatchesIn(words: readonly Word[], { sayings }: TermFinder): { term: QueryTerm; range: TextRange }[] {
  const single = words.filter(({ start }, at) => at === 0 || start > (words[at - 1]?.start ?? 0));
  const stems = single.map(({ text }) => englishStem(text));
  return sayings.flatMap(({ term, stems: saying }) =>
    single.flatMap(({ start }, at) => {
      if (!saying.every((word, offset) => stems[at + offset] === word)) return [];
      return [{ term, range: [start, single[at + saying.length - 1]?.end ?? start] as TextRange }];
    }),
  );
}

/** Returns the terms of the query that occur in a text. */
export function queryTermsIn(text: string, find: TermFinder): Set<QueryTerm> {
  const found = new Set<QueryTerm>();
  for (const word of wordTextsOf(text)) {
    const term = find(word);
    if (term) found.add(term);
  }
  return found;
}

/** Joins overlapping ranges: a compound covers its parts, and a phrase can begin inside a compound. */
function joinOverlappingRanges(found: readonly TextRange[]): TextRange[] {
  const ranges: TextRange[] = [];
  for (const [start, end] of found.toSorted(([one], [other]) => one - other)) {
    const last = ranges.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

/** The first words of a text that match, as written; undefined if none does. */
export function firstMatchOf({ text, ranges: [first] }: TextWithRanges): string | undefined {
  return first && text.slice(...first);
}

const shownAtMost = 180;
const shownBefore = 40;

/** The part of a text around its first match, cut at words. */
export function excerptAroundMatch({ text, ranges }: TextWithRanges, atMost = shownAtMost): TextWithRanges {
  if (text.length <= atMost) return { text, ranges: [...ranges] };
  const first = ranges[0]?.[0] ?? 0;
  const from = first <= shownBefore * 2 ? 0 : wordStart(text, first - shownBefore);
  const to = from + atMost >= text.length ? text.length : wordEnd(text, from + atMost);
  const [before, after] = [from > 0 ? "… " : "", to < text.length ? " …" : ""];
  const shift = before.length - from;
  return {
    text: before + text.slice(from, to).trimEnd() + after,
    ranges: ranges
      .filter(([start, end]) => start >= from && end <= to)
      .map(([start, end]): TextRange => [start + shift, end + shift]),
  };
}

function wordStart(text: string, at: number): number {
  const space = text.indexOf(" ", at);
  return space === -1 || space - at > shownBefore ? outsideSurrogatePair(text, at) : space + 1;
}

function wordEnd(text: string, at: number): number {
  const space = text.lastIndexOf(" ", at);
  return space === -1 || at - space > shownBefore ? outsideSurrogatePair(text, at) : space;
}

/** Moves an offset that is inside a surrogate pair to its start. */
function outsideSurrogatePair(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

export interface FoundChunk extends TextWithRanges {
  chunk: Chunk;
  terms: ReadonlySet<QueryTerm>;
}

/**
 * Returns the piece of a text with the most terms of the question: a step rather than another piece, and the first of
 * several. Null if no piece has a term.
 * @param terms the number of terms in the question: a step with all of them ends the search
 */
export function bestChunkFor(chunks: readonly Chunk[], find: TermFinder, terms = Infinity): FoundChunk | null {
  let best: { found: FoundChunk; worth: number } | null = null;
  for (const chunk of chunks) {
    const shown = chunk.text === "" ? (chunk.heading ?? "") : chunk.text;
    const marked = highlightTerms(shown, find);
    if (marked.terms.size === 0) continue;
    const worth = marked.terms.size * 2 + (chunk.step === null ? 0 : 1);
    if (best === null || worth > best.worth) best = { found: { ...marked, chunk }, worth };
    if (worth > terms * 2) break;
  }
  return best?.found ?? null;
}
