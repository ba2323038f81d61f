/**
 * Corrects misspelled words. A word counts as unknown or known only by the texts that the user can see, so that no
 * answer reveals other texts.
 */
import { stemInLanguage } from "#core/search/analyse.ts";
import type { QueryTerm } from "#core/search/query.ts";
import type { IndexReader } from "./indexes.ts";
import { questionForAllTerms } from "./match.ts";
import type { VisibleLookup } from "./visible.ts";

/** The index as the user can read it, and the filter for visible rows. */
export interface ReadableIndex {
  reading: Pick<IndexReader, "bestRows" | "nearWords">;
  seen: VisibleLookup;
  /** The visible texts without the query's filters; absent if the query has none. */
  anywhere?: VisibleLookup;
}

const atOnce = 100;

/**
 * Finds corrections for the unknown terms of a query.
 * @returns the correction by the term that it replaces. Leaves out terms without a correction
 */
export async function findCorrections(
  asking: ReadableIndex,
  terms: readonly QueryTerm[],
): Promise<ReadonlyMap<QueryTerm, QueryTerm>> {
  const known = await Promise.all(terms.map(async (term) => isInVisibleText(asking, [term])));
  const settled = terms.filter((_, at) => known[at]);
  const corrections = new Map<QueryTerm, QueryTerm>();
  for (const term of terms.filter((one, at) => !known[at] && !hasDigit(one))) {
    const meant = await findNearestTerm(asking, term, settled);
    if (!meant) continue;
    corrections.set(term, meant);
    settled.push(meant);
  }
  return corrections;
}

/** A term with a digit isn't corrected, because another number means another SOP or another limit. */
const hasDigit = ({ raw }: QueryTerm): boolean => /\p{N}/u.test(raw);

/**
 * The maximum number of terms in a query for which other words are offered. Longer queries have too many near words.
 */
const offeredAtMost = 3;

/**
 * Finds a word near one of the terms that occurs together with the other terms.
 * @returns the word by its term; empty without such a word
 */
export async function findTermsToOffer(
  asking: ReadableIndex,
  terms: readonly QueryTerm[],
): Promise<ReadonlyMap<QueryTerm, QueryTerm>> {
  if (terms.length < 2 || terms.length > offeredAtMost) return new Map();
  if (await isInVisibleText(asking, terms)) return new Map();
  for (const term of terms.filter((one) => !hasDigit(one))) {
    const others = terms.filter((other) => other !== term);
    for (const { word: raw } of await asking.reading.nearWords(term.raw, false)) {
      const meant: QueryTerm = { ...term, raw, isPrefix: false, alternatives: [] };
      if (await isInVisibleText(asking, [...others, meant])) return new Map([[term, meant]]);
    }
  }
  return new Map();
}

/** Finds the nearest word. Of equally near words, prefers a word that occurs together with the other terms. */
async function findNearestTerm(
  asking: ReadableIndex,
  term: QueryTerm,
  others: readonly QueryTerm[],
): Promise<QueryTerm | null> {
  // the parts of a compound word, without the synonyms of the glossary
  const split = term.alternatives.filter((words) => words.length > 1 && words.join("") === term.raw);
  // search near one part of a compound, near the word, and near its stem
  const { reading } = asking;
  const nearestWordTo = async (word: string) => (await reading.nearWords(word, false))[0]?.word ?? word;
  const parts = await Promise.all(split.map((words) => Promise.all(words.map(nearestWordTo))));
  const near = [
    ...(await reading.nearWords(term.raw, term.isPrefix)),
    ...(await reading.nearWords(stemInLanguage(term.raw, "en"), false)),
  ].toSorted((one, other) => one.distance - other.distance);
  const joined = parts.map((words) => ({ ...term, raw: words.join(""), alternatives: parts }));
  const distances = new Map(near.toReversed().map(({ word, distance }) => [word, distance]));
  const single = [...new Set(near.map(({ word }) => word))].map((raw) => ({ ...term, raw, alternatives: [] }));
  for (const beside of others.length > 0 ? [others, []] : [[]]) {
    for (const meant of joined) if (await isInVisibleText(asking, [...beside, meant])) return meant;
    for (const meant of single) {
      // check the visible texts: the index alone must not reveal a word that the user can't read
      if (!(await isInVisibleText(asking, [...beside, meant]))) continue;
      const isLike = ({ raw }: QueryTerm) =>
        raw !== meant.raw && (distances.get(raw) ?? 0) <= (distances.get(meant.raw) ?? 0);
      const like = [...parts, ...single.filter(isLike).map(({ raw }) => [raw])];
      return { ...meant, alternatives: await findVisibleAlternatives(asking, meant, like) };
    }
  }
  return null;
}

const likeAtMost = 3;

/**
 * Returns those of the nearest words that visible texts contain. The user can mean each of them, because all are
 * equally near.
 */
async function findVisibleAlternatives(
  asking: ReadableIndex,
  meant: QueryTerm,
  like: readonly (readonly string[])[],
): Promise<(readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for (const words of like) {
    if (found.length === likeAtMost) break;
    const each = words.map((raw): QueryTerm => ({ ...meant, raw, isPrefix: false, alternatives: [] }));
    if (await isInVisibleText(asking, each)) found.push(words);
  }
  return found;
}

/** Says whether a text that the user can see contains all terms. */
async function isInVisibleText({ reading, seen }: ReadableIndex, terms: readonly QueryTerm[]): Promise<boolean> {
  for (let offset = 0, limit = atOnce; ; offset += limit, limit *= 2) {
    const rows = await reading.bestRows(questionForAllTerms(terms), { offset, limit });
    if (rows.length > 0 && (await seen(rows)).size > 0) return true;
    if (rows.length < limit) return false;
  }
}
