/**
 * Records which SOPs each user has recently opened and changed. Writes in batches, so that requests don't wait. Only
 * the latest time for each SOP is stored.
 */
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import { tryUnlessDamaged } from "../database/beside-damage.ts";
import type { Collections, SopDocument, SopUseDocument } from "../database/documents.ts";
import type { BulkOperation, Database } from "../database/port.ts";
import { sopUseId } from "./sop-use-id.ts";

const flushMs = 5_000;

interface RecentUse {
  companyId: string;
  userId: string;
  sopId: string;
  at: string;
}

export interface RecentRecorder {
  recordUse(sop: Pick<SopDocument, "_id" | "companyId">, userId: string): void;
  /**
   * Writes everything recorded before this call. Also resolves after a failure; a later flush then writes the same
   * records.
   */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createRecentRecorder(db: Database<Collections>, clock: Clock, log: Logger): RecentRecorder {
  let waiting = new Map<string, RecentUse>();
  let writing = Promise.resolve();

  async function writeRecentUses(): Promise<void> {
    const batch = waiting;
    if (batch.size === 0) return;
    waiting = new Map();
    try {
      for (const [companyId, touches] of Map.groupBy(batch.values(), (touch) => touch.companyId)) {
        const uses = db.forCompany(companyId).collection("sop_uses");
        const stores = touches.map(recentUseUpsert);
        if (await tryUnlessDamaged(() => uses.bulkWrite(stores))) continue;
        for (const one of stores) await tryUnlessDamaged(() => uses.bulkWrite([one]));
      }
    } catch (error) {
      // put the failed batch first, so that later uses of the same SOPs replace its entries
      waiting = new Map([...batch, ...waiting]);
      throw error;
    }
  }

  const logFailure = (error: unknown) => log.warn({ err: error }, "recently opened SOPs were not stored");
  const flushRecentUses = () => (writing = writing.then(writeRecentUses).catch(logFailure));
  const timer = setInterval(() => void flushRecentUses(), flushMs);
  timer.unref();

  return {
    recordUse({ _id: sopId, companyId }, userId) {
      waiting.set(sopUseId(userId, sopId), { companyId, userId, sopId, at: clock.now() });
    },
    flush: flushRecentUses,
    async close() {
      clearInterval(timer);
      await flushRecentUses();
    },
  };
}

function recentUseUpsert({ userId, sopId, at }: RecentUse): BulkOperation<SopUseDocument> {
  return {
    updateOne: {
      filter: { _id: sopUseId(userId, sopId) },
      // $max keeps a later time that another server has written
      update: { $max: { recentAt: at }, $setOnInsert: { userId, sopId, favorite: false } },
      upsert: true,
    },
  };
}
