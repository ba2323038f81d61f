/**
 * Makes both engines refuse the same misuse of transactions, so that code which works on one engine works on the other.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { DamagedDocumentError, type BaseDocument, type Collection } from "./port.ts";

export class TransactionMisuseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "TransactionMisuseError";
  }
}

const running = new AsyncLocalStorage<object>();

/** Runs `work` inside a transaction of `database`, so that misuse is recognized. */
export function insideTransaction<T>(database: object, work: () => Promise<T>): Promise<T> {
  return running.run(database, work);
}

/**
 * Checks that no transaction of this database runs here, because the operation would wait for that transaction, or run
 * outside of it.
 * @throws TransactionMisuseError
 */
export function assertOutsideTransaction(database: object): void {
  if (running.getStore() === database)
    throw new TransactionMisuseError("inside a transaction, write through the handle it was given");
}

/**
 * Tracks the operations of a transaction. After an error, the transaction can't commit, even if `work` catches the
 * error. The error of a damaged document doesn't prevent the commit, because nothing was written.
 */
export class TransactionRun {
  #failure: { error: unknown } | undefined;
  #over = false;
  #pending = 0;

  /**
   * Runs an operation of the transaction.
   * @param isQuestion true for a read of a single document, whose damage doesn't prevent the commit
   */
  async operation<T>(perform: () => Promise<T>, isQuestion = false): Promise<T> {
    if (this.#over) throw new TransactionMisuseError("the transaction is over");
    if (this.#failure) throw this.#failure.error;
    this.#pending += 1;
    try {
      return await perform();
    } catch (error) {
      if (!isQuestion || !(error instanceof DamagedDocumentError)) this.#failure ??= { error };
      throw error;
    } finally {
      this.#pending -= 1;
    }
  }

  /**
   * Ends the transaction's operations when `work` has returned.
   * @throws the first error of an operation, or misuse when an operation is still running
   */
  finish(): void {
    this.#over = true;
    if (this.#failure) throw this.#failure.error;
    if (this.#pending > 0) throw new TransactionMisuseError("the transaction returned before its operations were done");
  }

  abandon(): void {
    this.#over = true;
  }

  get failure(): unknown {
    return this.#failure?.error;
  }

  guard<T extends BaseDocument>(inner: Collection<T>): Collection<T> {
    return {
      find: (filter, options) => this.operation(() => inner.find(filter, options)),
      findOne: (filter, options) => this.operation(() => inner.findOne(filter, options), true),
      insertOne: (document) => this.operation(() => inner.insertOne(document)),
      insertMany: (documents) => this.operation(() => inner.insertMany(documents)),
      updateOne: (filter, update, options) => this.operation(() => inner.updateOne(filter, update, options)),
      updateMany: (filter, update) => this.operation(() => inner.updateMany(filter, update)),
      findOneAndUpdate: (filter, update, options) =>
        this.operation(() => inner.findOneAndUpdate(filter, update, options)),
      deleteOne: (filter) => this.operation(() => inner.deleteOne(filter)),
      deleteMany: (filter) => this.operation(() => inner.deleteMany(filter)),
      countDocuments: (filter, options) => this.operation(() => inner.countDocuments(filter, options)),
      aggregate: (pipeline) => this.operation(() => inner.aggregate(pipeline)),
      bulkWrite: (operations) => this.operation(() => inner.bulkWrite(operations)),
    };
  }
}
