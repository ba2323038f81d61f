/** Runs all writes on one connection, one transaction after the other. */
import { StorageFullError, type QueryRecord, type CommitWrites } from "../port.ts";
import type { SqliteConnection } from "./connection.ts";
import { WriteSession } from "./session.ts";

export class SqliteWriter {
  readonly #connection: SqliteConnection;
  readonly #onQuery: ((record: QueryRecord) => void) | undefined;
  readonly #committed: (written: CommitWrites) => void;
  readonly #assertWritable: () => void;
  readonly #durable: () => Promise<void>;
  readonly #makeSpace: () => boolean;
  #last: Promise<unknown> = Promise.resolve();
  #ended: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(
    connection: SqliteConnection,
    onQuery: ((record: QueryRecord) => void) | undefined,
    committed: (written: CommitWrites) => void,
    assertWritable: () => void,
    durable: () => Promise<void>,
    makeSpace: () => boolean = () => false,
  ) {
    this.#makeSpace = makeSpace;
    this.#durable = durable;
    this.#assertWritable = assertWritable;
    this.#connection = connection;
    this.#onQuery = onQuery;
    this.#committed = committed;
  }

  /**
   * Runs a transaction, and resolves when its changes are on the disk. The next transaction starts before that, so that
   * one disk write covers several transactions. A power cut that loses a transaction also loses all later ones.
   */
  run<T>(work: (session: WriteSession) => T | Promise<T>): Promise<T> {
    const run = this.#run(work);
    this.#ended = Promise.allSettled([this.#ended, run]);
    return run;
  }

  /** Runs `work` between two transactions, without a transaction. */
  async runOutsideTransaction<T>(work: () => T): Promise<T> {
    const turn = this.#turn(async () => {
      this.#assertWritable();
      return work();
    });
    this.#ended = Promise.allSettled([this.#ended, turn]);
    return turn;
  }

  load(): { running: number; waiting: number } {
    return { running: Math.min(1, this.#waiting), waiting: Math.max(0, this.#waiting - 1) };
  }

  /** Waits for all queued writes. */
  async idle(): Promise<void> {
    await this.#ended;
  }

  async #run<T>(work: (session: WriteSession) => T | Promise<T>): Promise<T> {
    const { result, written } = await this.#turn(() => this.#withSpace(work));
    if (written.size === 0) return result;
    await this.#durable();
    this.#committed(written);
    return result;
  }

  #turn<T>(perform: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const before = this.#last;
    const turn = this.#waiting === 1 ? perform() : before.then(perform);
    this.#last = turn.catch(() => undefined);
    return turn.finally(() => {
      this.#waiting -= 1;
    });
  }

  /** Runs the transaction. On a full disk, frees a part of the reserve file and runs the transaction once more. */
  async #withSpace<T>(work: (session: WriteSession) => T | Promise<T>): Promise<{ result: T; written: CommitWrites }> {
    try {
      return await this.#transaction(work);
    } catch (error) {
      if (error instanceof StorageFullError && this.#makeSpace()) return this.#transaction(work);
      throw error;
    }
  }

  async #transaction<T>(
    work: (session: WriteSession) => T | Promise<T>,
  ): Promise<{ result: T; written: CommitWrites }> {
    this.#assertWritable();
    const session = new WriteSession(this.#connection, this.#onQuery);
    this.#connection.exec("BEGIN IMMEDIATE");
    let result: T;
    try {
      result = await work(session);
      this.#connection.exec("COMMIT");
    } catch (error) {
      session.revertTypes();
      // on a full disk, SQLite may have ended the transaction itself
      if (this.#connection.database.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
    return { result, written: session.applyCommit() };
  }
}
