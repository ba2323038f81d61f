import type { QueryTerm } from "#core/search/query.ts";
import type { SearchIndexes } from "./indexes.ts";
import type { SeenAmong } from "./visible.ts";
/** A company's index, and what of it is for the asker. */
export interface Asking {
    search: Pick<SearchIndexes, "read" | "vocabulary">;
    companyId: string;
    seen: SeenAmong;
}
/** @returns unknown terms with the ones that were meant, as far as there are any */
export declare function correctTerms(asking: Asking, terms: readonly QueryTerm[]): Promise<ReadonlyMap<QueryTerm, QueryTerm>>;
