/** Counters with an end: in the database, so that several servers share them; in memory while the database can't. */
import type { Logger } from "pino";
import { type Clock, isRunning } from "#core/clock.ts";
import { serverLimits } from "../capacity/resources.ts";
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
  /** Adds one. The time runs from the first. `from`: a count elsewhere that this one must not be behind. */
  add(key: string, seconds: number, from?: Count | null): Promise<Count>;
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

export function memoryCounters(clock: Clock): Counters {
  const counts = new Map<string, Count>();
  const current = (key: string, seconds: number): Count | null => {
    const found = counts.get(key);
    return found && isRunning(Date.parse(found.expiresAt), seconds * 1000, clock.millis()) ? found : null;
  };
  return {
    read: async (key, seconds) => current(key, seconds),
    async add(key, seconds, from = null) {
      const own = current(key, seconds);
      const known = from && from.points > (own?.points ?? 0) ? from : own;
      const before = known ?? { points: 0, expiresAt: endOf(clock, seconds) };
      const count = { ...before, points: before.points + 1 };
      counts.delete(key);
      if (counts.size >= serverLimits.counters.atMost) counts.delete(counts.keys().next().value as string);
      counts.set(key, count);
      return count;
    },
    async subtract(key) {
      const count = counts.get(key);
      if (count && count.points > 0) counts.set(key, { ...count, points: count.points - 1 });
    },
    async clear(key) {
      counts.delete(key);
    },
  };
}

/** Without access to the shared counters, the rate limit uses this server's own. It never lets all requests through. */
export function withFallback(first: Counters, second: Counters, log: Pick<Logger, "error">): Counters {
  const alone = (error: unknown) => log.error({ err: error }, "limits are counted by this server alone");
  const readFirst = (key: string, seconds: number) =>
    first.read(key, seconds).catch((error: unknown) => {
      alone(error);
      return null;
    });
  return {
    async read(key, seconds) {
      const [shared, own] = await Promise.all([readFirst(key, seconds), second.read(key, seconds)]);
      return (own?.points ?? 0) > (shared?.points ?? 0) ? own : shared;
    },
    async add(key, seconds) {
      try {
        return await first.add(key, seconds);
      } catch (error) {
        alone(error);
        // what can't be written may still be read: a full disk must not give a second set of tries
        return second.add(key, seconds, await first.read(key, seconds).catch(() => null));
      }
    },
    async subtract(key) {
      await first.subtract(key).catch((error: unknown) => {
        alone(error);
        return second.subtract(key);
      });
    },
    async clear(key) {
      await second.clear(key);
      await first.clear(key).catch(alone);
    },
  };
}

function endOf(clock: Clock, seconds: number): string {
  return new Date(clock.millis() + seconds * 1000).toISOString();
}
