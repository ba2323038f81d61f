/** Takes away what has expired: sessions, reset links, known devices, counters, answers kept for repeats, old events, notifications, AI calls and unlinked uploads. One server does it, by lease. */
import type { Clock } from "#core/clock.ts";
import { sweepAssets } from "../assets/unlinked.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Leases } from "./leases.ts";
import type { Jobs } from "./overdue.ts";

const everyMs = 10 * 60_000;
/** A browser that was away longer refreshes everything. */
const eventsKeptMs = 24 * 3_600_000;
const notificationsKeptMs = 90 * 24 * 3_600_000;
/** Usage is told by the month; versions keep for themselves what they say of a call. */
const aiCallsKeptMs = 400 * 24 * 3_600_000;
const missedSearchesKeptMs = 90 * 24 * 3_600_000;
const outboxKeptMs = 7 * 24 * 3_600_000;
/** Nothing is put off for longer: the longest pause between two tries, twice. */
const longestWaitMs = 2 * 3_600_000;

export async function sweep(db: Database<Collections>, clock: Clock): Promise<void> {
  const now = clock.now();
  const before = (ms: number) => new Date(clock.millis() - ms).toISOString();
  await db.collection("sessions").deleteMany({ expiresAt: { $lte: now } });
  await db.collection("email_confirmations").deleteMany({ expiresAt: { $lte: now } });
  await db.collection("password_resets").deleteMany({ expiresAt: { $lte: now } });
  await db.collection("known_devices").deleteMany({ expiresAt: { $lte: now } });
  await db.collection("idempotency").deleteMany({ expiresAt: { $lte: now } });
  await db.collection("limiters").deleteMany({ expiresAt: { $lte: now } });
  await db.collection("events").deleteMany({ at: { $lte: before(eventsKeptMs) } });
  await db.collection("notifications").deleteMany({ createdAt: { $lte: before(notificationsKeptMs) } });
  await db.collection("ai_calls").deleteMany({ at: { $lte: before(aiCallsKeptMs) } });
  await db.collection("missed_searches").deleteMany({ lastAt: { $lte: before(missedSearchesKeptMs) } });
  await db.collection("outbox").deleteMany({ state: "done", dueAt: { $lte: before(outboxKeptMs) } });
  // ordered while the clock was ahead
  await db
    .collection("outbox")
    .updateMany({ state: "pending", dueAt: { $gt: before(-longestWaitMs) } }, { $set: { dueAt: now } });
  await sweepAssets(db, clock);
}

export function startSweeping(db: Database<Collections>, clock: Clock, leases: Leases, jobs: Jobs): () => void {
  const job = jobs.watch("sweep", everyMs);
  const run = () => void job.pass(() => leases.hold("sweep", everyMs - 1_000, () => sweep(db, clock)));
  run();
  const timer = setInterval(run, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
