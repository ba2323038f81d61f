/** Who may have outside effects when several servers run: a lease with a fencing number, in the database's own terms. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Clock } from "#core/clock.ts";
import type { Collections } from "../database/documents.ts";
import { DuplicateKeyError, type Database } from "../database/port.ts";

export interface Leases {
  /** @returns the fencing number, or null while another server holds the lease */
  acquire(name: string, ms: number): Promise<number | null>;
  release(name: string): Promise<void>;
}

/** Two servers of one process, or two containers alike, are two holders. */
const someName = () => `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;

export function createLeases(db: Database<Collections>, clock: Clock, holder = someName()): Leases {
  const leases = db.collection("leases");
  return {
    async acquire(name, ms) {
      const now = clock.now();
      const until = new Date(clock.millis() + ms).toISOString();
      const renewed = await leases.findOneAndUpdate(
        { _id: name, holder, until: { $gt: now } },
        { $set: { until } },
        { returnDocument: "after" },
      );
      if (renewed) return renewed.fence;
      const taken = await leases.findOneAndUpdate(
        { _id: name, until: { $lte: now } },
        { $set: { holder, until }, $inc: { fence: 1 } },
        { returnDocument: "after" },
      );
      if (taken) return taken.fence;
      try {
        await leases.insertOne({ _id: name, holder, fence: 1, until });
        return 1;
      } catch (error) {
        if (error instanceof DuplicateKeyError) return null;
        throw error;
      }
    },
    async release(name) {
      await leases.updateOne({ _id: name, holder }, { $set: { until: new Date(0).toISOString() } });
    },
  };
}
