/**
 * Runs snapshot transactions, and retries them after a conflict for as long as a user would wait. MongoDB has no queue
 * of transactions, so a server that must wait for another has to try often. The limit is therefore a time and not a
 * number of tries.
 */
import { setTimeout as delay } from "node:timers/promises";
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import type { ClientSession, MongoClient } from "mongodb";
import { DatabaseUnavailableError, TransactionConflictError } from "../port.ts";
import { TransactionRun } from "../transaction-guard.ts";
import type { Availability } from "./availability.ts";
import { hasLabel, isSocketError, translateErrors } from "./errors.ts";

type TransactionWork<T> = (session: ClientSession, run: TransactionRun) => Promise<T>;

export interface Transactions {
  /**
   * Runs a transaction.
   * @param work runs again from the start after a conflict or a lost connection
   * @throws TransactionConflictError, or DatabaseUnavailableError, after which the commit may have succeeded
   */
  run<T>(work: TransactionWork<T>): Promise<T>;
  stop(): void;
}

const patienceMs = 10_000;
const longestPauseMs = 50;
/** Milliseconds after which MongoDB ends an open transaction. */
const serverEndsMs = 60_000;
const againMs = 500;

/** The options of transactions. They override those of the URI, because a snapshot needs `w: majority`. */
const options = {
  readConcern: { level: "snapshot" },
  writeConcern: { w: "majority", journal: true },
  readPreference: "primary",
} as const;

export function createTransactions(client: MongoClient, availability: Availability): Transactions {
  const stopping = new AbortController();

  async function attemptTransaction<T>(work: TransactionWork<T>, deadline: number): Promise<T> {
    const session = client.startSession();
    let isLost = false;
    try {
      return await runTransactionOnce(session, work, deadline);
    } catch (error) {
      isLost = error instanceof DatabaseUnavailableError;
      throw error;
    } finally {
      if (isLost || session.serverSession.isDirty) void endTransactionOnServer(session);
      else await session.endSession();
    }
  }

  async function runTransactionOnce<T>(session: ClientSession, work: TransactionWork<T>, deadline: number): Promise<T> {
    const run = new TransactionRun();
    session.startTransaction(options);
    let result: T;
    try {
      result = await work(session, run);
      run.finish();
    } catch (error) {
      run.abandon();
      // if an operation failed by a conflict or a lost connection, use that failure even if `work` threw another error
      const { failure } = run;
      if (failure instanceof DatabaseUnavailableError) throw failure;
      await availability.guard(() => session.abortTransaction()).catch(() => undefined);
      throw hasLabel(failure, "TransientTransactionError") ? failure : error;
    }
    await commitSession(session, deadline);
    return result;
  }

  /**
   * Commits, and repeats the commit while its result is unknown. Repeating is safe, because the server knows whether it
   * has committed.
   */
  async function commitSession(session: ClientSession, deadline: number): Promise<void> {
    for (;;) {
      try {
        await availability.guard(() => translateErrors(() => session.commitTransaction()));
        return;
      } catch (error) {
        if (!isCommitResultUnknown(error) || Date.now() >= deadline) throw error;
        await delay(50);
      }
    }
  }

  /**
   * Ends a transaction after its connection was lost, because its locks would block other writers for a minute. Does so
   * when the server answers again, and once more in case the last command arrives late.
   */
  async function endTransactionOnServer(session: ClientSession): Promise<void> {
    const { id } = session;
    const until = Date.now() + serverEndsMs;
    const killSession = () => client.db("admin").command({ killSessions: [id] });
    for (let ended = 0; ended < 2 && !stopping.signal.aborted && Date.now() < until;) {
      await availability.guard(killSession).then(
        () => (ended += 1),
        () => undefined,
      );
      await delay(againMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
    await session.endSession().catch(() => undefined);
  }

  return {
    async run(work) {
      const deadline = Date.now() + patienceMs;
      for (let tries = 1; ; tries += 1) {
        try {
          return await attemptTransaction(work, deadline);
        } catch (error) {
          if (!hasLabel(error, "TransientTransactionError")) throw error;
          if (Date.now() >= deadline)
            throw error instanceof DatabaseUnavailableError ? error : new TransactionConflictError();
          await delay(Math.random() * Math.min(10 * 2 ** tries, longestPauseMs));
        }
      }
    },
    stop: () => stopping.abort(),
  };
}

function isCommitResultUnknown(error: unknown): boolean {
  return hasLabel(error, "UnknownTransactionCommitResult") || isSocketError((error as Error).cause);
}
