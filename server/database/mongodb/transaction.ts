/**
 * Snapshot transactions, run again after a conflict for as long as someone would wait (research/security.md §2.18).
 * The time is the bound, not a count: three writers of one row on a busy machine used five tries up in a tenth of a second.
 */
import { setTimeout as delay } from "node:timers/promises";
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import { type ClientSession, type MongoClient, MongoError } from "mongodb";
import { TransactionConflictError } from "../port.ts";
import { TransactionRun } from "../transaction-guard.ts";

const patienceMs = 3000;
const longestPauseMs = 300;

/** Explicit, whatever the URI says: a snapshot without `w: majority` is none. */
const options = {
  readConcern: { level: "snapshot" },
  writeConcern: { w: "majority", journal: true },
  readPreference: "primary",
} as const;

/** @param work is run again from the start after a conflict @throws TransactionConflictError */
export async function runTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession, run: TransactionRun) => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  const session = client.startSession();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runOnce(session, work, deadline);
      } catch (error) {
        if (!hasLabel(error, "TransientTransactionError")) throw error;
        if (Date.now() >= deadline) throw new TransactionConflictError();
        await delay(Math.random() * Math.min(10 * 2 ** attempt, longestPauseMs));
      }
    }
  } finally {
    await session.endSession();
  }
}

async function runOnce<T>(
  session: ClientSession,
  work: (session: ClientSession, run: TransactionRun) => Promise<T>,
  deadline: number,
): Promise<T> {
  const run = new TransactionRun();
  session.startTransaction(options);
  let result: T;
  try {
    result = await work(session, run);
    run.finish();
  } catch (error) {
    run.abandon();
    await session.abortTransaction().catch(() => undefined);
    // A conflict that `work` turned into an error of its own is still a conflict
    throw hasLabel(run.failure, "TransientTransactionError") ? run.failure : error;
  }
  await commit(session, deadline);
  return result;
}

/** Committing again is safe: the server knows whether it has done so. */
async function commit(session: ClientSession, deadline: number): Promise<void> {
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!hasLabel(error, "UnknownTransactionCommitResult") || Date.now() >= deadline) throw error;
      await delay(50);
    }
  }
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label);
}
