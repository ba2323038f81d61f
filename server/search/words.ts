/** What a list is narrowed to by its search: every word of it begins a word of the text. */
import { parseQuery } from "#core/search/query.ts";
import type { FoundByWords } from "../sops/asked.ts";
import { seenAs, type WantedRow } from "./index-file.ts";
import type { SearchIndexes } from "./indexes.ts";
import { allOf } from "./match.ts";

/** @param words not blank. A text without any word in it finds nothing. */
export async function foundByWords(search: SearchIndexes, companyId: string, words: string): Promise<FoundByWords> {
  const { terms } = parseQuery(words, { prefixes: "all" });
  if (!terms || terms.length === 0) return { head: [], effective: [] };
  return byView(await search.read(companyId, (index) => index.all(allOf(terms))));
}

export function byView(rows: readonly WantedRow[]): { head: string[]; effective: string[] } {
  return {
    head: rows.filter(({ seen }) => (seen & seenAs.head) !== 0).map(({ sopId }) => sopId),
    effective: rows.filter(({ seen }) => (seen & seenAs.force) !== 0).map(({ sopId }) => sopId),
  };
}
