/** Finds out whether SQLite answers a query from an index, for `onQuery` and the test that fails on a full scan. */
import type { SqliteConnection } from "./connection.ts";

export interface QueryPlan {
  indexed: boolean;
  sortedByIndex: boolean;
  detail: string;
}

/** Asks SQLite for its plan of a query. */
export function explainQueryPlan(connection: SqliteConnection, sql: string, values: readonly unknown[]): QueryPlan {
  const steps = connection.all(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => String(detail));
  return {
    // SQLite lists the steps of a subquery separately, so a scan of the subquery's result is no table scan
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
