import type { Filter } from "../port.ts";
import type { Table } from "./table.ts";
export interface Condition {
  sql: string;
  values: unknown[];
  exact: boolean;
}
export declare function filterSql(table: Table, filter: Filter, around?: Filter): Condition;
