/** One SQLite connection with its prepared statements. */
import { DatabaseSync } from "node:sqlite";
export type Row = Record<string, unknown>;
export declare class Connection {
  #private;
  readonly database: DatabaseSync;
  constructor(
    file: string,
    options?: {
      readOnly?: boolean;
    },
  );
  exec(sql: string): void;
  run(
    sql: string,
    ...values: unknown[]
  ): {
    changes: number;
    lastInsertRowid: number;
  };
  get(sql: string, ...values: unknown[]): Row | undefined;
  all(sql: string, ...values: unknown[]): Row[];
  close(): void;
}
