/**
 * Decides which of several servers can have outside effects: a lease with a fencing number, timed by the database's
 * clock. The embedded engine has one server, held by the lock of DATA_DIR. It needs no lease, so no clock can block it.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { isPeriodRunning } from "#core/clock.ts";
import type { Collections, LeaseDocument } from "../database/documents.ts";
import { DatabaseUnavailableError, DuplicateKeyError, type Database } from "../database/port.ts";

export interface Leases {
  /**
   * Takes or renews the lease.
   * @returns the fencing number, or null while another server has the lease
   */
  acquire(name: string, ms: number): Promise<number | null>;
  /**
   * Takes the lease, does `work`, and renews the lease until the work ends. The lease then expires by itself.
   * @param work stops when `lost` aborts: another server may have taken over, or the database no longer answers
   * @returns the result of `work`, or null while another server has the lease
   */
  hold<T>(name: string, ms: number, work: (lost: AbortSignal) => Promise<T>): Promise<T | null>;
  release(name: string): Promise<void>;
}

/** The name of a lease's holder. It is partly random, because two containers can have the same host and process id. */
const newHolderName = () => `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;

export function createLeases(db: Database<Collections>, holder = newHolderName()): Leases {
  return db.engine === "sqlite" ? createSingleServerLeases() : createSharedLeases(db, holder);
}

function createSingleServerLeases(): Leases {
  return {
    acquire: async () => 1,
    hold: async (_name, _ms, work) => work(new AbortController().signal),
    release: async () => undefined,
  };
}

/** The number of renewals during a lease. After two that fail, there is still time to stop. */
const renewals = 4;

function createSharedLeases(db: Database<Collections>, holder: string): Leases {
  const leases = db.collection("leases");

  async function acquireLease(name: string, ms: number): Promise<number | null> {
    for (;;) {
      const before = await leases.findOne({ _id: name });
      // the time is read after the lease: otherwise a lease that was just renewed could seem to end too late to be
      // valid
      const now = Date.parse(await db.now());
      const valid = before !== null && isLeaseValid(before, ms, now);
      if (valid && before.holder !== holder) return null;
      const fence = valid ? before.fence : (before?.fence ?? 0) + 1;
      const after: Omit<LeaseDocument, "_id"> = { holder, fence, ms, until: new Date(now + ms).toISOString() };
      if (before === null ? await createLease({ _id: name, ...after }) : await replaceLease(before, after))
        return fence;
    }
  }

  async function createLease(lease: LeaseDocument): Promise<boolean> {
    try {
      await leases.insertOne(lease);
      return true;
    } catch (error) {
      if (error instanceof DuplicateKeyError) return false;
      throw error;
    }
  }

  async function replaceLease(before: LeaseDocument, after: Omit<LeaseDocument, "_id">): Promise<boolean> {
    const { _id, fence, until } = before;
    const { matchedCount } = await leases.updateOne({ _id, holder: before.holder, fence, until }, { $set: after });
    return matchedCount === 1;
  }

  return {
    acquire: acquireLease,
    async hold(name, ms, work) {
      const fence = await acquireLease(name, ms);
      if (fence === null) return null;
      const lost = new AbortController();
      let renewedAt = performance.now();
      const renewLease = async () => {
        const sentAt = performance.now();
        if (sentAt - renewedAt > ms * (1 - 1.5 / renewals)) return lost.abort();
        const held = await acquireLease(name, ms);
        if (held === fence) renewedAt = sentAt;
        else lost.abort();
      };
      // only the database can fail here, and the next renewal may succeed
      const timer = setInterval(() => void renewLease().catch(() => undefined), ms / renewals);
      timer.unref();
      try {
        return await work(lost.signal);
      } finally {
        clearInterval(timer);
      }
    },
    async release(name) {
      try {
        await leases.updateOne({ _id: name, holder }, { $set: { until: new Date(0).toISOString() } });
      } catch (error) {
        // the lease expires by itself
        if (!(error instanceof DatabaseUnavailableError)) throw error;
      }
    },
  };
}

function isLeaseValid({ until, ms: own }: LeaseDocument, ms: number, now: number): boolean {
  return isPeriodRunning(Date.parse(until), own ?? ms, now);
}
