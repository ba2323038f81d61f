import type { Connection } from "./connection.ts";
import type { Table } from "./table.ts";
/** Runs inside a transaction. */
export declare function createSchema(connection: Connection, tables: Iterable<Table>): void;
export declare function loadFieldTypes(connection: Connection, tables: ReadonlyMap<string, Table>): void;
export declare function saveFieldTypes(connection: Connection, table: Table, grown: ReadonlyMap<string, number>): void;
