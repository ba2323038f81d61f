/** Says whether SQLite serves a query from an index, for the full-scan test and `onQuery`. */
import type { SqliteConnection } from "./connection.ts";

export interface QueryPlan {
  indexed: boolean;
  sortedByIndex: boolean;
  detail: string;
}

export function queryPlan(connection: SqliteConnection, sql: string, values: readonly unknown[]): QueryPlan {
  const steps = connection.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => String(detail));
  return {
    // SQLite lists the steps of a subquery separately
    indexed: !steps.some((step) => /^SCAN (?!json_each|\(subquery)/.test(step)),
    sortedByIndex: !steps.some(
      (step) =>
        step.includes("TEMP B-TREE FOR ORDER BY") ||
        step.includes("TERM OF ORDER BY") ||
        step.includes("TERMS OF ORDER BY"),
    ),
    detail: steps.join(" | "),
  };
}
