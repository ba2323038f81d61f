/**
 * What has to happen outside the database after a write, written in its transaction: at least once, in order of being
 * due, with growing pauses; after ten tries it stays behind as `failed` for a person to look at.
 */
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import { newId } from "#core/ids.ts";
import type { Collections, OutboxDocument } from "../database/documents.ts";
import type { Database, Store } from "../database/port.ts";
import type { Leases } from "./leases.ts";

export type OutboxHandler = (item: OutboxDocument) => Promise<void>;

const leaseMs = 30_000;
const attemptsAtMost = 10;
const firstPauseMs = 2_000;
const longestPauseMs = 3_600_000;
const batch = 50;

export async function enqueue(
  store: Store<Collections>,
  item: { companyId: string | null; kind: string; payload: Record<string, unknown>; at: string; dueAt?: string },
): Promise<void> {
  await store.collection("outbox").insertOne({
    _id: newId(),
    companyId: item.companyId,
    kind: item.kind,
    payload: item.payload,
    state: "pending",
    attempts: 0,
    dueAt: item.dueAt ?? item.at,
    lastError: null,
    createdAt: item.at,
  });
}

export interface Outbox {
  /** Handles what is due now. @returns how many were done */
  drain(): Promise<number>;
  close(): Promise<void>;
}

export interface OutboxOptions {
  db: Database<Collections>;
  clock: Clock;
  leases: Leases;
  log: Logger;
  handlers: Readonly<Record<string, OutboxHandler>>;
  /** Looks for due items this often, besides being woken by commits. */
  pollMs?: number;
}

export function startOutbox({ db, clock, leases, log, handlers, pollMs = 2_000 }: OutboxOptions): Outbox {
  const items = db.collection("outbox");
  let running: Promise<number> | null = null;
  let closed = false;

  async function handle(item: OutboxDocument): Promise<boolean> {
    const handler = handlers[item.kind];
    try {
      if (!handler) throw new Error(`nothing handles ${item.kind}`);
      await handler(item);
      // a handler may have put it off, or a write made it due again, later: then it is not done
      const handled = { _id: item._id, state: "pending", dueAt: item.dueAt };
      await items.updateOne(handled, { $set: { state: "done" }, $inc: { attempts: 1 } });
      return true;
    } catch (error) {
      const attempts = item.attempts + 1;
      const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** item.attempts);
      const lastError = error instanceof Error ? error.message : String(error);
      const state = attempts >= attemptsAtMost ? "failed" : "pending";
      log[state === "failed" ? "error" : "warn"]({ id: item._id, kind: item.kind, attempts, lastError }, "outbox");
      const dueAt = new Date(clock.millis() + pause).toISOString();
      await items.updateOne({ _id: item._id }, { $set: { attempts, lastError, state, dueAt } });
      return false;
    }
  }

  const dueNow = () => ({ state: "pending", dueAt: { $lte: clock.now() } });

  async function drainOnce(): Promise<number> {
    let done = 0;
    while (!closed) {
      // asked before the lease: an idle outbox must not write every two seconds
      if (!(await items.findOne(dueNow()))) break;
      if ((await leases.acquire("outbox", leaseMs)) === null) break;
      let heldSince = clock.millis();
      for (const item of await items.find(dueNow(), { sort: { dueAt: 1 }, limit: batch })) {
        if (clock.millis() - heldSince > leaseMs / 3) {
          // mails are slow: another server must not take the rest for forgotten
          if ((await leases.acquire("outbox", leaseMs)) === null) return done;
          heldSince = clock.millis();
        }
        if (await handle(item)) done++;
      }
    }
    return done;
  }

  async function drain(): Promise<number> {
    if (running) return running;
    running = drainOnce().finally(() => {
      running = null;
    });
    return running;
  }

  const soon = () => void drain().catch((error: unknown) => log.error({ err: error }, "outbox"));
  const stopWatching = db.watch(["outbox"], soon);
  const timer = setInterval(soon, pollMs);
  timer.unref();

  return {
    drain,
    async close() {
      closed = true;
      clearInterval(timer);
      stopWatching();
      await running?.catch(() => 0);
      await leases.release("outbox");
    },
  };
}
