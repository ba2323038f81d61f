/** Whether SQLite serves a query from an index: the full-scan test and `onQuery` ask here. */
import type { Connection } from "./connection.ts";
export interface Plan {
  indexed: boolean;
  sortedByIndex: boolean;
  detail: string;
}
export declare function planOf(connection: Connection, sql: string, values: readonly unknown[]): Plan;
