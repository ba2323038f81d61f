import { type IndexedText } from "#core/search/columns.ts";
/** Bits of a row: the version is the head, the version is in force. */
export declare const seenAs: {
    readonly head: 1;
    readonly force: 2;
};
/** What the index should hold of one SOP: at most a head and a version in force, one row when they are the same. */
export interface Wanted {
    sopId: string;
    rows: readonly {
        version: number;
        seen: number;
    }[];
}
export interface WantedRow {
    sopId: string;
    version: number;
    seen: number;
}
export interface Match extends WantedRow {
    /** Higher is better. */
    score: number;
}
export type RowText = IndexedText & WantedRow;
/** How far the company's ledger is followed: the number of the last event and its id, which tells other ledgers apart. */
export interface Position {
    seq: number;
    eventId: string | null;
}
export interface IndexFile {
    position(): Position | null;
    /** Rows that are wanted and not there: their texts are needed. */
    missing(wanted: readonly Wanted[]): WantedRow[];
    /** In one transaction: what is not wanted goes, what is missing comes. */
    replace(wanted: readonly Wanted[], texts: readonly RowText[], position?: Position): void;
    /** For an index that is being made, inside one transaction from the first call to `finish`. */
    add(texts: readonly RowText[]): void;
    finish(position: Position): void;
    /** Best first. */
    best(match: string, limit: number, offset: number): Match[];
    all(match: string): WantedRow[];
    /** Some of the words and stems after this one, in their order, and in how many rows each stands. */
    wordsFrom(first: string, limit: number): {
        word: string;
        rows: number;
    }[];
    size(): number;
    close(): void;
}
export declare const indexVersion = "1.1";
/** @throws what SQLite throws when the file is none of ours, damaged, or of another version */
export declare function openIndexFile(path: string): IndexFile;
/** An empty index, without a journal: nobody reads it before it is complete. */
export declare function createIndexFile(path: string): IndexFile;
export declare class WrongIndexError extends Error {
    constructor();
}
