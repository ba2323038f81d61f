/** One connection as an operation sees it: the reading one, or the writing one inside a transaction. */
import type { QueryRecord } from "../port.ts";
import type { Connection } from "./connection.ts";
import { type CachedDocument } from "./document-cache.ts";
import type { Table } from "./table.ts";
export type StoredDocument = CachedDocument["document"];
export interface Session {
  readonly connection: Connection;
  /** Where queries are reported to, when a test asks for it. */
  readonly onQuery: ((record: QueryRecord) => void) | undefined;
  readonly cached: boolean;
  hasWritten(table: Table, row: number): boolean;
}
export declare class WriteSession implements Session {
  #private;
  readonly connection: Connection;
  readonly onQuery: ((record: QueryRecord) => void) | undefined;
  readonly cached = true;
  constructor(connection: Connection, onQuery: ((record: QueryRecord) => void) | undefined);
  hasWritten(table: Table, row: number): boolean;
  markWritten(table: Table, row: number): void;
  noteTypes(table: Table, document: Record<string, unknown>): void;
  /** @returns the names of the collections written */
  committed(): ReadonlySet<string>;
  rolledBack(): void;
}
/** The document of a row, frozen. @param keep false for scans, which would push out what is in use */
export declare function load(table: Table, session: Session, row: number, keep: boolean): StoredDocument | undefined;
export declare function loadText(table: Table, session: Session, row: number): string | undefined;
