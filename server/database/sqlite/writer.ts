/** The one write connection, behind a queue. Its holder has it for the whole transaction. */
import type { QueryRecord, Written } from "../port.ts";
import type { Connection } from "./connection.ts";
import { WriteSession } from "./session.ts";

export class Writer {
  readonly #connection: Connection;
  readonly #onQuery: ((record: QueryRecord) => void) | undefined;
  readonly #committed: (written: Written) => void;
  readonly #assertWritable: () => void;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(
    connection: Connection,
    onQuery: ((record: QueryRecord) => void) | undefined,
    committed: (written: Written) => void,
    assertWritable: () => void,
  ) {
    this.#assertWritable = assertWritable;
    this.#connection = connection;
    this.#onQuery = onQuery;
    this.#committed = committed;
  }

  /** Resolves when what `work` wrote is on disk. */
  async run<T>(work: (session: WriteSession) => T | Promise<T>): Promise<T> {
    this.#waiting += 1;
    const before = this.#last;
    const turn = this.#waiting === 1 ? this.#transaction(work) : before.then(() => this.#transaction(work));
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Waits for all queued writes. */
  async idle(): Promise<void> {
    await this.#last;
  }

  async #transaction<T>(work: (session: WriteSession) => T | Promise<T>): Promise<T> {
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
    const written = session.committed();
    if (written.size > 0) this.#committed(written);
    return result;
  }
}
