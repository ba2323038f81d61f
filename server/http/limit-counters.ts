/**
 * Counters that expire, in the database, so that several servers share them. A request that can't be counted is
 * refused: otherwise a lost database would lift all limits.
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
  /** The count of the last `seconds`, or null. */
  read(key: string, seconds: number): Promise<LimitCount | null>;
  /** Adds one to the count. Its time runs from the first addition. */
  add(key: string, seconds: number): Promise<LimitCount>;
  /** Takes one off the count. */
  subtract(key: string): Promise<void>;
  clear(key: string): Promise<void>;
}

export function databaseCounters(db: Pick<Database<Collections>, "collection">, clock: Clock): LimitCounters {
  const counters = db.collection("limiters");
  // a later end means that the clock was ahead when the count began. Clocks of servers can differ by this length
  const runningWindow = (seconds: number) => ({ $gt: clock.now(), $lte: windowEnd(clock, 2 * seconds) });
  const addToRunning = (key: string, seconds: number) =>
    counters.findOneAndUpdate(
      { _id: key, expiresAt: runningWindow(seconds) },
      { $inc: { points: 1 } },
      { returnDocument: "after" },
    );
  async function addTo(key: string, seconds: number): Promise<LimitCount> {
    const before = await addToRunning(key, seconds);
    if (before) return before;
    const first = { points: 1, expiresAt: windowEnd(clock, seconds) };
    const { $gt: now, $lte: latest } = runningWindow(seconds);
    await counters.deleteOne({ _id: key, $or: [{ expiresAt: { $lte: now } }, { expiresAt: { $gt: latest } }] });
    try {
      await counters.insertOne({ _id: key, ...first });
      return first;
    } catch (error) {
      // another request created the counter first, so this one adds to it
      const second = error instanceof DuplicateKeyError ? await addToRunning(key, seconds) : null;
      if (!second) throw error;
      return second;
    }
  }
  return {
    read: (key, seconds) => withSpare(key, (one) => counters.findOne({ _id: one, expiresAt: runningWindow(seconds) })),
    add: (key, seconds) => withSpare(key, (one) => addTo(one, seconds)),
    subtract: (key) =>
      withSpare(key, async (one) => {
        await counters.updateOne({ _id: one, points: { $gt: 0 } }, { $inc: { points: -1 } });
      }),
    clear: (key) =>
      withSpare(key, async (one) => {
        await counters.deleteOne({ _id: one });
      }),
  };
}

/** Counts under a second key if the counter is damaged, because a damaged document can't be deleted. */
async function withSpare<T>(key: string, work: (key: string) => Promise<T>): Promise<T> {
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
