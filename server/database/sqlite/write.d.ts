import type { Update } from "../port.ts";
import { type WriteSession } from "./session.ts";
import type { Table } from "./table.ts";
export declare function insert(table: Table, session: WriteSession, given: object): void;
/** @returns whether anything changed */
export declare function update(table: Table, session: WriteSession, row: number, given: Update): boolean;
export declare function remove(table: Table, session: WriteSession, row: number, document: object): void;
