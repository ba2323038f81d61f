/**
 * Words with a slip in them. A word is unknown when nothing the asker may see has it, and is taken for another one only when
 * something he may see has that: neither the answer nor its absence tells of texts that are not for him.
 */
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
  const corrections = new Map<QueryTerm, QueryTerm>();
  for (const term of terms) {
    if (await isKnown(asking, term)) continue;
    const meant = await nearestKnown(asking, term);
    if (meant) corrections.set(term, meant);
  }
  return corrections;
}

async function nearestKnown(asking: Asking, term: QueryTerm): Promise<QueryTerm | null> {
  const vocabulary = await asking.search.vocabulary(asking.companyId);
  for (const word of vocabulary.near(term.raw, term.isPrefix)) {
    const meant: QueryTerm = { ...term, raw: word, alternatives: [] };
    if (await isKnown(asking, meant)) return meant;
  }
  return null;
}

async function isKnown({ search, companyId, seen }: Asking, term: QueryTerm): Promise<boolean> {
  const rows = await search.read(companyId, (index): WantedRow[] => index.all(allOf([term])));
  for (let at = 0; at < rows.length; at += atOnce) {
    if ((await seen(rows.slice(at, at + atOnce))).size > 0) return true;
  }
  return false;
}
