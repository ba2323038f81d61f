/**
 * Words with a slip in them. A word is unknown when nothing the asker may see has it, and is taken for another one only when
 * something he may see has that: neither the answer nor its absence tells of texts that are not for him.
 */
import { stemOf } from "#core/search/analyse.ts";
import type { QueryTerm } from "#core/search/query.ts";
import type { WantedRow } from "./index-file.ts";
import type { SearchIndexes } from "./indexes.ts";
import { allOf } from "./match.ts";
import type { SeenAmong } from "./visible.ts";

/** A company's index, and what of it is for the asker. */
export interface Asking {
  search: Pick<SearchIndexes, "read" | "vocabulary">;
  companyId: string;
  seen: SeenAmong;
}

const atOnce = 200;

/** @returns unknown terms with the ones that were meant, as far as there are any */
export async function correctTerms(
  asking: Asking,
  terms: readonly QueryTerm[],
): Promise<ReadonlyMap<QueryTerm, QueryTerm>> {
  const known = await Promise.all(terms.map(async (term) => isFound(asking, [term])));
  const settled = terms.filter((_, at) => known[at]);
  const corrections = new Map<QueryTerm, QueryTerm>();
  for (const term of terms.filter((_, at) => !known[at])) {
    const meant = await nearest(asking, term, settled);
    if (!meant) continue;
    corrections.set(term, meant);
    settled.push(meant);
  }
  return corrections;
}

/** Of words as near as each other the one that stands together with the rest of the question. */
async function nearest(asking: Asking, term: QueryTerm, others: readonly QueryTerm[]): Promise<QueryTerm | null> {
  const vocabulary = await asking.search.vocabulary(asking.companyId);
  // not what the glossary calls it
  const split = term.alternatives.filter((words) => words.length > 1 && words.join("") === term.raw);
  // a slip in one part of a compound, in the word, or in its stem
  const parts = split.map((words) => words.map((word) => vocabulary.near(word, false)[0] ?? word));
  const near = [...vocabulary.near(term.raw, term.isPrefix), ...vocabulary.near(stemOf(term.raw, "en"), false)];
  const ways = near.map((raw): QueryTerm => {
    // words as near as this one are other sayings of it: who slips may mean any of them
    const others = near.filter((word) => word !== raw).slice(0, 3);
    return { ...term, raw, alternatives: [...parts, ...others.map((word) => [word])] };
  });
  for (const words of parts) ways.unshift({ ...term, raw: words.join(""), alternatives: parts });
  for (const beside of others.length > 0 ? [others, []] : [[]]) {
    for (const meant of ways) if (await isFound(asking, [...beside, meant])) return meant;
  }
  return null;
}

/** Does something that the asker may see have all of them? */
export async function isFound({ search, companyId, seen }: Asking, terms: readonly QueryTerm[]): Promise<boolean> {
  const rows = await search.read(companyId, (index): WantedRow[] => index.all(allOf(terms)));
  for (let at = 0; at < rows.length; at += atOnce) {
    if ((await seen(rows.slice(at, at + atOnce))).size > 0) return true;
  }
  return false;
}
