/** The only connection that writes, behind a queue. A transaction has it until it ends. */
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
   * Resolves when the changes of `work` are on disk. The next transaction begins earlier, so that one disk write serves
   * several transactions. It can read changes that a power cut would undo, but the power cut would undo that
   * transaction too.
   */
  run<T>(work: (session: WriteSession) => T | Promise<T>): Promise<T> {
    const run = this.#run(work);
    this.#ended = Promise.allSettled([this.#ended, run]);
    return run;
  }

  /** Runs `work` in its turn, without a transaction around it. */
  async alone<T>(work: () => T): Promise<T> {
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

  /** Runs the transaction. On a full disk, it takes a part of the reserve and runs the transaction once more. */
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
      session.rolledBack();
      // SQLite itself ends the transaction on a full disk
      if (this.#connection.database.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
    return { result, written: session.committed() };
  }
}
