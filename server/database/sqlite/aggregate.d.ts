import type { Session } from "./session.ts";
import type { Table } from "./table.ts";
type Stage = Record<string, unknown>;
export declare function aggregate(
  table: Table,
  session: Session,
  pipeline: readonly Stage[],
): Record<string, unknown>[];
export {};
