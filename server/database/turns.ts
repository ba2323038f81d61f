/**
 * Lets writers of this server take turns instead of conflicting. They wait by SOP from reading to writing, and by
 * company for the transaction, which changes the company's counters. Revisions and the database's conflicts handle
 * writes of other servers.
 */
import type { Collections } from "./documents.ts";
import type { Database, Transaction } from "./port.ts";

const last = new Map<string, Promise<void>>();

/** @param key an id, unique across databases */
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

/** Runs a transaction that changes a company's counters, after the previous one. */
export function transactionFor<T>(
  db: Database<Collections>,
  companyId: string,
  work: (tx: Transaction<Collections>) => Promise<T>,
): Promise<T> {
  return runInTurn(companyId, () => db.transaction(work));
}
