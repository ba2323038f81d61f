/**
 * Parsed, deeply frozen documents as last committed. Exact, because this process is the only writer: a commit drops what it
 * wrote, and a transaction does not look here for rows it has written itself.
 */
export interface CachedDocument {
  readonly row: number;
  readonly document: Readonly<Record<string, unknown>> & {
    readonly _id: string;
  };
  readonly size: number;
  readonly owner: TableCache;
}
/** Shared by all tables, in characters of JSON text. */
export declare class CacheBudget {
  #private;
  constructor(limit: number);
  touch(entry: CachedDocument): void;
  admit(entry: CachedDocument): boolean;
  release(entry: CachedDocument): void;
}
export declare class TableCache {
  #private;
  constructor(budget: CacheBudget);
  byRow(row: number): CachedDocument | undefined;
  byId(id: string): CachedDocument | undefined;
  keep(row: number, document: CachedDocument["document"], size: number): void;
  drop(row: number): void;
}
export declare function parseFrozen(text: string): CachedDocument["document"];
