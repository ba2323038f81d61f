import type { Filter, FindOptions } from "../port.ts";
import { type Session, type StoredDocument } from "./session.ts";
import type { Table } from "./table.ts";
export interface Found {
  row: number;
  document: StoredDocument;
}
export declare function find(table: Table, session: Session, filter: Filter, options?: FindOptions): Found[];
export declare function count(table: Table, session: Session, filter: Filter, limit: number | undefined): number;
