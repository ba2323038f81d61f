/** The one write connection, behind a queue. Its holder has it for the whole transaction. */
import { StorageFullError, type QueryRecord, type Written } from "../port.ts";
import type { Connection } from "./connection.ts";
import { WriteSession } from "./session.ts";

export class Writer {
  readonly #connection: Connection;
  readonly #onQuery: ((record: QueryRecord) => void) | undefined;
  readonly #committed: (written: Written) => void;
  readonly #assertWritable: () => void;
  readonly #durable: () => Promise<void>;
  readonly #makeSpace: () => boolean;
  #last: Promise<unknown> = Promise.resolve();
  #ended: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(
    connection: Connection,
    onQuery: ((record: QueryRecord) => void) | undefined,
    committed: (written: Written) => void,
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
   * Resolves when what `work` wrote is on disk. The next transaction begins before that, so that one write to the disk
   * serves several. It can read what a power cut would still undo, and such a cut would undo it as well.
   */
  run<T>(work: (session: WriteSession) => T | Promise<T>): Promise<T> {
    const run = this.#run(work);
    this.#ended = Promise.allSettled([this.#ended, run]);
    return run;
  }

  /** In its turn, without a transaction around it. */
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

  /** On a full disk there may be a reserve. The transaction gets a part of it, and is done once more. */
  async #withSpace<T>(work: (session: WriteSession) => T | Promise<T>): Promise<{ result: T; written: Written }> {
    try {
      return await this.#transaction(work);
    } catch (error) {
      if (error instanceof StorageFullError && this.#makeSpace()) return this.#transaction(work);
      throw error;
    }
  }

  async #transaction<T>(work: (session: WriteSession) => T | Promise<T>): Promise<{ result: T; written: Written }> {
    this.#assertWritable();
    const session = new WriteSession(this.#connection, this.#onQuery);
    this.#connection.exec("BEGIN IMMEDIATE");
    let result: T;
    try {
      result = await work(session);
      this.#connection.exec("COMMIT");
    } catch (error) {
      session.rolledBack();
      // A full disk has ended the transaction already
      if (this.#connection.database.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
    return { result, written: session.committed() };
  }
}
