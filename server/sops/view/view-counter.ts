/** Counts the views of SOPs: one for each user, SOP and hour. Writes them in batches, so that reads don't wait. */
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import type { Collections, SopDocument } from "../../database/documents.ts";
import type { Database } from "../../database/port.ts";

const flushMs = 5_000;
const hourMs = 3_600_000;

export interface ViewCounter {
  seen(sop: SopDocument, userId: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createViewCounter(db: Database<Collections>, clock: Clock, log: Logger): ViewCounter {
  let hour = 0;
  let counted = new Set<string>();
  let waiting = new Map<string, { companyId: string; views: number }>();

  async function flushViews(): Promise<void> {
    const batch = waiting;
    waiting = new Map();
    try {
      for (const [_id, { companyId, views }] of batch) {
        await db.forCompany(companyId).collection("sops").updateOne({ _id }, { $inc: { views } });
        batch.delete(_id);
      }
    } finally {
      // unwritten counts are added to later ones
      for (const [_id, { companyId, views }] of batch) {
        waiting.set(_id, { companyId, views: views + (waiting.get(_id)?.views ?? 0) });
      }
    }
  }

  const logFailure = (error: unknown) => log.warn({ err: error }, "views were not written");
  const timer = setInterval(() => void flushViews().catch(logFailure), flushMs);
  timer.unref();

  return {
    seen(sop, userId) {
      const now = Math.floor(clock.millis() / hourMs);
      if (now !== hour) {
        hour = now;
        counted = new Set();
      }
      const key = `${sop._id} ${userId}`;
      if (counted.has(key)) return;
      counted.add(key);
      const entry = waiting.get(sop._id) ?? { companyId: sop.companyId, views: 0 };
      entry.views++;
      waiting.set(sop._id, entry);
    },
    flush: flushViews,
    async close() {
      clearInterval(timer);
      await flushViews().catch(logFailure);
    },
  };
}
