/**
 * Lets writers of this server wait for each other instead of conflicting: by SOP from reading to writing, and by
 * company for each transaction that changes the company's counters. Writes of other servers still conflict in the
 * database.
 */
import type { Collections } from "./documents.ts";
import type { Database, Transaction } from "./port.ts";

const last = new Map<string, Promise<void>>();

/** Runs `work` after earlier work with the same key. @param key an id, unique across databases */
export async function runInTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key);
  const turn = Promise.withResolvers<void>();
  last.set(key, turn.promise);
  try {
    await before;
    return await work();
  } finally {
    if (last.get(key) === turn.promise) last.delete(key);
    turn.resolve();
  }
}

/** Runs a transaction that changes a company's counters. Waits for the company's transactions before it. */
export function transactionFor<T>(
  db: Database<Collections>,
  companyId: string,
  work: (tx: Transaction<Collections>) => Promise<T>,
): Promise<T> {
  return runInTurn(companyId, () => db.transaction(work));
}
