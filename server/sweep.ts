/**
 * Removes expired data: sessions, reset links, known devices, counters, answers kept for repeats, old events,
 * notifications, AI calls, decided proposals and unlinked uploads. The server with the lease does it.
 */
import type { Clock } from "#core/clock.ts";
import { sweepAssets } from "./assets/unlinked.ts";
import type { Blobs } from "./blobs/port.ts";
import type { Collections } from "./database/documents.ts";
import type { Database } from "./database/port.ts";
import { eventsKeptMs } from "./events/positions.ts";
import type { Leases } from "./jobs/leases.ts";
import { reportProgress, type Jobs } from "./jobs/overdue.ts";

const everyMs = 10 * 60_000;
const notificationsKeptMs = 90 * 24 * 3_600_000;
/** Milliseconds that AI calls are kept. Usage reports are by month, and versions store their own facts about a call. */
const aiCallsKeptMs = 400 * 24 * 3_600_000;
const missedSearchesKeptMs = 90 * 24 * 3_600_000;
export const decidedProposalsKeptMs = 365 * 24 * 3_600_000;
const outboxKeptMs = 7 * 24 * 3_600_000;
/** The furthest time ahead at which an item can be due: twice the longest pause between two tries. */
const longestWaitMs = 2 * 3_600_000;

export async function removeExpiredRecords(
  db: Database<Collections>,
  blobs: Pick<Blobs, "kind">,
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  const before = (ms: number) => new Date(clock.millis() - ms).toISOString();
  const expiresAt = { $lte: now };
  const steps = [
    () => db.collection("sessions").deleteMany({ expiresAt }),
    () => db.collection("email_confirmations").deleteMany({ expiresAt }),
    () => db.collection("password_resets").deleteMany({ expiresAt }),
    () => db.collection("known_devices").deleteMany({ expiresAt }),
    () => db.collection("idempotency").deleteMany({ expiresAt }),
    () => db.collection("limiters").deleteMany({ expiresAt }),
    () => db.collection("events").deleteMany({ at: { $lte: before(eventsKeptMs) } }),
    () => db.collection("notifications").deleteMany({ createdAt: { $lte: before(notificationsKeptMs) } }),
    () => db.collection("ai_calls").deleteMany({ at: { $lte: before(aiCallsKeptMs) } }),
    () => db.collection("missed_searches").deleteMany({ lastAt: { $lte: before(missedSearchesKeptMs) } }),
    () => db.collection("proposals").deleteMany({ decidedAt: { $gt: "", $lte: before(decidedProposalsKeptMs) } }),
    () => db.collection("outbox").deleteMany({ state: "done", dueAt: { $lte: before(outboxKeptMs) } }),
    // entries from a time when the clock was ahead
    () =>
      db
        .collection("outbox")
        .updateMany({ state: "pending", dueAt: { $gt: before(-longestWaitMs) } }, { $set: { dueAt: now } }),
    () => sweepAssets(db, blobs, clock),
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
