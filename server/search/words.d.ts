import type { FoundByWords } from "../sops/asked.ts";
import { type WantedRow } from "./index-file.ts";
import type { SearchIndexes } from "./indexes.ts";
/** @param words not blank. A text without any word in it finds nothing. */
export declare function foundByWords(search: SearchIndexes, companyId: string, words: string): Promise<FoundByWords>;
export declare function byView(rows: readonly WantedRow[]): {
    head: string[];
    effective: string[];
};
