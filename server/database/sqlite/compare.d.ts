import type { Sort } from "../port.ts";
/** By type, then by value; strings by code point, as MongoDB and SQLite do and JavaScript's `<` does not. */
export declare function compareValues(a: unknown, b: unknown): number;
export declare function compareStrings(a: string, b: string): number;
/** Sorts by the smallest element of an array when ascending, by the largest when descending, as MongoDB does. */
export declare function sorted<T extends object>(documents: readonly T[], sort: Sort): T[];
