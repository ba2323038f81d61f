/** Ranks parts of an index for a query: BM25 over weighted words, counted only in the rows of these parts. */
import { stemInLanguage } from "#core/search/analyse.ts";
import { isPhrase, type QueryTerm } from "#core/search/query.ts";
import { bm25Weight } from "#core/search/weights.ts";
import { weightUnit, type IndexPart, type IndexRow } from "./part.ts";
import { inTitle, largestWeight, weightBits } from "./word-lists.ts";

/** The facts that raise the score of a title that equals the query above that of its single words. */
interface TitleMatch {
  /** The number of terms in the query. */
  terms: number;
  /** The number of these terms that the title contains. */
  found: number;
  /** The number of words in the title that have a meaning by themselves. */
  words: number;
}

export interface IndexQuestion {
  terms: readonly QueryTerm[];
  /** The number of terms that a row must have. */
  atLeast: number;
}

export interface RankedRow {
  row: IndexRow;
  /** The rank of a row: a higher score is better. */
  score: number;
}

/** The weight of a term in each row of a part, with `titled` if the title has the term; 0 for rows without the term. */
type TermWeights = Uint32Array;
const titled = 1 << 30;

/** Finds the best rows after the first `offset`, best first; equal rows oldest first. */
export function rankRows(
  parts: readonly IndexPart[],
  { terms, atLeast }: IndexQuestion,
  { offset, limit }: { offset: number; limit: number },
  isShown: (row: IndexRow, part: IndexPart) => boolean,
): RankedRow[] {
  const weights = parts.map((part) => terms.map((term) => termWeights(part, term)));
  const live = parts.reduce((sum, part) => sum + part.live, 0);
  const average = parts.reduce((sum, part) => sum + part.totalLength, 0) / Math.max(1, live);
  const rarities = terms.map((_, term) => {
    const holders = weights.reduce((sum, ofPart) => sum + countWeighted(ofPart[term]), 0);
    return Math.log(1 + (live - holders + 0.5) / (holders + 0.5));
  });
  const best = new BestItems(offset + limit);
  for (const [index, part] of parts.entries()) {
    const ofTerms = weights[index] ?? [];
    for (let number = 0; number < part.rows.length; number++) {
      let [score, count, found] = [0, 0, 0];
      for (let term = 0; term < ofTerms.length; term++) {
        const weight = ofTerms[term]?.[number] ?? 0;
        if (weight === 0) continue;
        count += 1;
        if (weight >= titled) found += 1;
        const frequency = (weight % titled) / weightUnit;
        score += bm25Weight(rarities[term] ?? 0, frequency, (part.lengths[number] ?? 0) / average);
      }
      if (count < atLeast) continue;
      if (found > 0) score *= titleBoost({ terms: terms.length, found, words: part.titleLengths[number] ?? 0 });
      const row = best.takes(score) ? part.rows[number] : null;
      if (row && isShown(row, part)) best.add({ row, score });
    }
  }
  return best.ranked.slice(offset);
}

/** Finds all rows that have the terms, in no order. */
export function rowsWithTerms(
  parts: readonly IndexPart[],
  { terms, atLeast }: IndexQuestion,
  isShown: (row: IndexRow, part: IndexPart) => boolean,
): IndexRow[] {
  return parts.flatMap((part) => {
    const ofTerms = terms.map((term) => termWeights(part, term));
    return part.rows.filter((row, number): row is IndexRow => {
      if (!row) return false;
      let count = 0;
      for (const weights of ofTerms) if ((weights[number] ?? 0) > 0) count += 1;
      return count >= atLeast && isShown(row, part);
    });
  });
}

/** Sums the weights of a term in each row: of the word, its forms, words that begin with it, or its synonyms. */
function termWeights(part: IndexPart, { raw, isPrefix, alternatives }: QueryTerm): TermWeights {
  const stem = stemInLanguage(raw, "en");
  let lists: Uint32Array[] = [];
  if (isPrefix && !isPhrase(raw)) {
    lists = [...part.stems.beginning(raw), ...part.inflected.beginning(raw)];
    if (!stem.startsWith(raw)) lists.push(part.stems.postings(stem));
  } else if (!isPhrase(raw)) {
    lists = stemLists(part, raw);
  }
  const sums = sumPostings(part, lists);
  for (const words of alternatives) {
    const each = words.map((word) => sumPostings(part, stemLists(part, word)));
    for (let row = 0; row < sums.length; row++) {
      // a synonym counts as in the title only if all of its words are in the title
      let least = each[0]?.[row] ?? 0;
      for (const weights of each) least = Math.min(least, weights[row] ?? 0);
      if (least > (sums[row] ?? 0)) sums[row] = least;
    }
  }
  return sums;
}

/** Returns the posting lists of a word. English texts are indexed by stems, other texts by their words. */
function stemLists(part: IndexPart, word: string): Uint32Array[] {
  const stem = stemInLanguage(word, "en");
  return stem === word ? [part.stems.postings(word)] : [part.stems.postings(stem), part.stems.postings(word)];
}

function sumPostings(part: IndexPart, lists: readonly Uint32Array[]): TermWeights {
  const sums = new Uint32Array(part.rows.length);
  for (const list of lists) {
    for (let at = 0; at < list.length; at++) {
      const posting = list[at] ?? 0;
      const row = posting >>> weightBits;
      const sum = (sums[row] ?? 0) + (posting & largestWeight);
      sums[row] = (posting & inTitle) === 0 ? sum : sum | titled;
    }
  }
  return sums;
}

function countWeighted(weights: TermWeights | undefined): number {
  let count = 0;
  for (const weight of weights ?? []) if (weight > 0) count += 1;
  return count;
}

/** Keeps only the best items that are added, in order, and never sorts the others. */
class BestItems {
  readonly ranked: RankedRow[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  takes(score: number): boolean {
    return this.ranked.length < this.#most || score > (this.ranked.at(-1)?.score ?? 0);
  }

  add(one: RankedRow): void {
    let [low, high] = [0, this.ranked.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ranked[middle]?.score ?? 0) >= one.score) low = middle + 1;
      else high = middle;
    }
    this.ranked.splice(low, 0, one);
    if (this.ranked.length > this.#most) this.ranked.pop();
  }
}

/**
 * @returns the factor for a score: 1 if the title contains no word of the query, 6 if it contains exactly these words
 */
function titleBoost({ terms, found, words }: TitleMatch): number {
  const share = found / Math.max(1, terms);
  const filled = Math.min(1, found / Math.max(1, words));
  return (share === 1 && filled === 1 ? 3 : 1) + 2 * share + share * filled;
}
