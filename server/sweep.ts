/**
 * Removes expired documents, old items of the outbox that are done, and unlinked uploads. One server at a time does it,
 * by lease.
 */
import type { Clock } from "#core/clock.ts";
import { removeUnlinkedAssets } from "./assets/unlinked.ts";
import type { Blobs } from "./blobs/port.ts";
import { declarations, type Collections } from "./database/documents.ts";
import { atPath, type BaseDocument, type Collection, type Database } from "./database/port.ts";
import type { Leases } from "./jobs/leases.ts";
import { reportProgress, type Jobs } from "./jobs/overdue.ts";

const everyMs = 10 * 60_000;
const outboxKeptMs = 7 * 24 * 3_600_000;
/**
 * The furthest time ahead in milliseconds at which an item can be due: twice the longest pause between two attempts.
 */
const longestWaitMs = 2 * 3_600_000;

/** A document that expires. Its type calls the time `sweptBy`, because each collection has another name for it. */
interface SweptDocument extends BaseDocument {
  sweptBy: string;
}

export async function removeExpiredRecords(
  db: Database<Collections>,
  blobs: Pick<Blobs, "kind">,
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  const timeBefore = (ms: number) => new Date(clock.millis() - ms).toISOString();
  const steps = [
    ...Object.entries(declarations).map(([name, { swept }]) => async () => {
      const documents = db.collection(name as keyof Collections) as unknown as Collection<SweptDocument>;
      if (swept)
        await documents.deleteMany(atPath(swept.by as "sweptBy", { $gt: "", $lte: timeBefore(swept.afterMs) }));
    }),
    () => db.collection("outbox").deleteMany({ state: "done", dueAt: { $lte: timeBefore(outboxKeptMs) } }),
    // makes items due that were queued while the clock was ahead
    () =>
      db
        .collection("outbox")
        .updateMany({ state: "pending", dueAt: { $gt: timeBefore(-longestWaitMs) } }, { $set: { dueAt: now } }),
    () => removeUnlinkedAssets(db, blobs, clock),
  ];
  for (const step of steps) {
    await step();
    reportProgress();
  }
}

export function startSweeping(
  { db, blobs, clock }: { db: Database<Collections>; blobs: Pick<Blobs, "kind">; clock: Clock },
  leases: Leases,
  jobs: Jobs,
): () => Promise<void> {
  return jobs.every({ name: "sweep", everyMs, firstMs: 0 }, () =>
    leases.hold("sweep", everyMs - 1_000, () => removeExpiredRecords(db, blobs, clock)),
  );
}
