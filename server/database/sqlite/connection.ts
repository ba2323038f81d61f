/** Opens a SQLite connection and keeps its prepared statements. */
// oxlint-disable-next-line no-restricted-imports -- the one place of this engine
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { translateErrors } from "./errors.ts";

export type SqliteRow = Record<string, unknown>;

/**
 * The maximum number of prepared statements. Their texts depend on the form of a query and not on its values, so there
 * are a few hundred in practice.
 */
const statementsAtMost = 1000;
const busyTimeoutMs = 5000;

/**
 * `alone`: reads with exclusive access, without shared-memory files next to the database. `lock`: the file is empty,
 * and the connection doesn't wait for its lock. `rest`: reads a file that has lost its end.
 */
type ConnectionMode = "write" | "read" | "rest" | "alone" | "lock";

export class SqliteConnection {
  readonly #file: string | URL;
  readonly #statements = new Map<string, StatementSync>();
  #database: DatabaseSync | null = null;

  constructor(file: string | URL, mode: ConnectionMode | "closed") {
    this.#file = file;
    if (mode !== "closed") this.open(mode);
  }

  open(mode: ConnectionMode): void {
    this.#database = translateErrors(
      () => new DatabaseSync(this.#file, { readOnly: mode === "read" || mode === "rest" }),
    );
    try {
      this.#prepareFor(mode);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #prepareFor(mode: ConnectionMode): void {
    if (mode === "lock") return this.exec("PRAGMA busy_timeout=0");
    if (mode === "rest") {
      this.database.enableDefensive(false);
      this.exec("PRAGMA writable_schema=ON");
    }
    if (mode === "alone") this.exec("PRAGMA locking_mode=EXCLUSIVE");
    this.exec(`PRAGMA busy_timeout=${busyTimeoutMs}`);
    this.exec("PRAGMA foreign_keys=OFF");
    this.exec("PRAGMA cache_size=-32768");
    this.exec("PRAGMA temp_store=MEMORY");
  }

  get database(): DatabaseSync {
    if (!this.#database) throw new Error("the database is closed");
    return this.#database;
  }

  exec(sql: string): void {
    translateErrors(() => this.database.exec(sql));
  }

  run(sql: string, ...values: unknown[]): { changes: number; lastInsertRowid: number } {
    const done = translateErrors(() => this.#prepare(sql).run(...(values as SQLInputValue[])));
    return { changes: Number(done.changes), lastInsertRowid: Number(done.lastInsertRowid) };
  }

  get(sql: string, ...values: unknown[]): SqliteRow | undefined {
    return translateErrors(() => this.#prepare(sql).get(...(values as SQLInputValue[])));
  }

  all(sql: string, ...values: unknown[]): SqliteRow[] {
    return translateErrors(() => this.#prepare(sql).all(...(values as SQLInputValue[])));
  }

  /**
   * Yields the rows one by one. Doesn't keep the prepared statement, because another caller could use it at the same
   * time.
   */
  *each(sql: string, ...values: unknown[]): Generator<SqliteRow> {
    const rows = translateErrors(() => this.database.prepare(sql).iterate(...(values as SQLInputValue[])));
    for (;;) {
      const next = translateErrors(() => rows.next());
      if (next.done) return;
      yield next.value as SqliteRow;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database?.close();
    this.#database = null;
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    if (this.#statements.size >= statementsAtMost)
      this.#statements.delete(this.#statements.keys().next().value as string);
    this.#statements.set(sql, statement);
    return statement;
  }
}
