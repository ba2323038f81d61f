import type { IndexFile } from "./index-file.ts";
export interface Vocabulary {
    /** Words near this one, nearest first; with `isBegun`, beginnings of words too. */
    near(typed: string, isBegun: boolean): string[];
}
export declare function loadVocabulary(index: IndexFile): Promise<Vocabulary>;
