/** ORDER BY, where SQLite's order of the stored values is MongoDB's. */
import type { Sort } from "../port.ts";
import type { Table } from "./table.ts";
/** @returns undefined when SQL can't sort so: arrays, objects, or booleans (1 and 0 to SQLite) among other types */
export declare function sortSql(table: Table, sort: Sort | undefined): string | undefined;
