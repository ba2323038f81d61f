/**
 * Counters with an end, in the database, so that several servers share them. What can't be counted is refused: without
 * the database, no limit lets all requests through.
 */
import type { Clock } from "#core/clock.ts";
import type { Collections } from "../database/documents.ts";
import { DuplicateKeyError, type Database } from "../database/port.ts";

export interface Count {
  points: number;
  /** ISO time at which it starts over. */
  expiresAt: string;
}

export interface Counters {
  /** The count of the last `seconds`, or null. */
  read(key: string, seconds: number): Promise<Count | null>;
  /** Adds one. The time runs from the first. */
  add(key: string, seconds: number): Promise<Count>;
  /** Takes one back. */
  subtract(key: string): Promise<void>;
  clear(key: string): Promise<void>;
}

export function databaseCounters(db: Pick<Database<Collections>, "collection">, clock: Clock): Counters {
  const counters = db.collection("limiters");
  // a later end means that the clock was ahead at the start; clocks of servers can differ by this length
  const running = (seconds: number) => ({ $gt: clock.now(), $lte: endOf(clock, 2 * seconds) });
  const addToRunning = (key: string, seconds: number) =>
    counters.findOneAndUpdate(
      { _id: key, expiresAt: running(seconds) },
      { $inc: { points: 1 } },
      { returnDocument: "after" },
    );
  return {
    read: (key, seconds) => counters.findOne({ _id: key, expiresAt: running(seconds) }),
    async add(key, seconds) {
      const before = await addToRunning(key, seconds);
      if (before) return before;
      const first = { points: 1, expiresAt: endOf(clock, seconds) };
      const { $gt: now, $lte: latest } = running(seconds);
      await counters.deleteOne({ _id: key, $or: [{ expiresAt: { $lte: now } }, { expiresAt: { $gt: latest } }] });
      try {
        await counters.insertOne({ _id: key, ...first });
        return first;
      } catch (error) {
        // another one was the first: it is there now
        const second = error instanceof DuplicateKeyError ? await addToRunning(key, seconds) : null;
        if (!second) throw error;
        return second;
      }
    },
    async subtract(key) {
      await counters.updateOne({ _id: key, points: { $gt: 0 } }, { $inc: { points: -1 } });
    },
    async clear(key) {
      await counters.deleteOne({ _id: key });
    },
  };
}

function endOf(clock: Clock, seconds: number): string {
  return new Date(clock.millis() + seconds * 1000).toISOString();
}
