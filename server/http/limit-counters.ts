/**
 * Stores counters of rate limits in the database, so that several servers share them. If the database doesn't answer,
 * the request fails, because all limits would be off otherwise.
 */
import type { Clock } from "#core/clock.ts";
import type { Collections } from "../database/documents.ts";
import { DamagedDocumentError, DuplicateKeyError, type Database } from "../database/port.ts";

export interface LimitCount {
  points: number;
  /** ISO time at which the count starts over. */
  expiresAt: string;
}

export interface LimitCounters {
  /** Returns the running count; null if none runs. @param seconds the duration of the count */
  read(key: string, seconds: number): Promise<LimitCount | null>;
  /** Adds one to the count. The count lasts `seconds` from its first addition. */
  add(key: string, seconds: number): Promise<LimitCount>;
  /** Subtracts one from the count. */
  subtract(key: string): Promise<void>;
  clear(key: string): Promise<void>;
}

export function createDatabaseCounters(db: Pick<Database<Collections>, "collection">, clock: Clock): LimitCounters {
  const counters = db.collection("limiters");
  // a counter with a later end was stored by a wrong clock. Clocks of servers may differ by `seconds`
  const runningWindow = (seconds: number) => ({ $gt: clock.now(), $lte: windowEnd(clock, 2 * seconds) });
  const addToRunning = (key: string, seconds: number) =>
    counters.findOneAndUpdate(
      { _id: key, expiresAt: runningWindow(seconds) },
      { $inc: { points: 1 } },
      { returnDocument: "after" },
    );
  async function addToCounter(key: string, seconds: number): Promise<LimitCount> {
    const before = await addToRunning(key, seconds);
    if (before) return before;
    const first = { points: 1, expiresAt: windowEnd(clock, seconds) };
    const { $gt: now, $lte: latest } = runningWindow(seconds);
    await counters.deleteOne({ _id: key, $or: [{ expiresAt: { $lte: now } }, { expiresAt: { $gt: latest } }] });
    try {
      await counters.insertOne({ _id: key, ...first });
      return first;
    } catch (error) {
      // another request has just created the counter, so add to that one
      const second = error instanceof DuplicateKeyError ? await addToRunning(key, seconds) : null;
      if (!second) throw error;
      return second;
    }
  }
  return {
    read: (key, seconds) =>
      withSpareKey(key, (one) => counters.findOne({ _id: one, expiresAt: runningWindow(seconds) })),
    add: (key, seconds) => withSpareKey(key, (one) => addToCounter(one, seconds)),
    subtract: (key) =>
      withSpareKey(key, async (one) => {
        await counters.updateOne({ _id: one, points: { $gt: 0 } }, { $inc: { points: -1 } });
      }),
    clear: (key) =>
      withSpareKey(key, async (one) => {
        await counters.deleteOne({ _id: one });
      }),
  };
}

/** Uses a second key if the counter is damaged, because a damaged document can't be deleted. */
async function withSpareKey<T>(key: string, work: (key: string) => Promise<T>): Promise<T> {
  try {
    return await work(key);
  } catch (error) {
    if (!(error instanceof DamagedDocumentError)) throw error;
    return work(`${key}:2`);
  }
}

function windowEnd(clock: Clock, seconds: number): string {
  return new Date(clock.millis() + seconds * 1000).toISOString();
}
