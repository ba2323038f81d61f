/** Snapshot transactions with bounded retries (research/security.md §2.18). */
import { setTimeout as delay } from "node:timers/promises";
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import { type ClientSession, type MongoClient, MongoError } from "mongodb";
import { TransactionConflictError } from "../port.ts";
import { TransactionRun } from "../transaction-guard.ts";

const tries = 5;
const patienceMs = 3000;

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
        if (attempt >= tries || Date.now() >= deadline) throw new TransactionConflictError();
        await delay(Math.random() * 10 * 2 ** attempt);
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
