/**
 * Effects outside the database, queued in the transaction of their cause. Each runs at least once, by one server at a
 * time. Several run at once, divided fairly between companies. A failed effect is retried after growing pauses for most
 * of a day. Then it stays as `failed`, in the database and in the log.
 */
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import { newId } from "#core/ids.ts";
import { serverCallerFor, withCaller } from "../capacity/caller.ts";
import { resources } from "../capacity/resources.ts";
import { createFairQueue } from "../capacity/fair-queue.ts";
import type { Collections, OutboxDocument } from "../database/documents.ts";
import type { Database, Filter, Store } from "../database/port.ts";
import type { Leases } from "./leases.ts";
import { reportProgress, type Jobs } from "./overdue.ts";

/** @param signal aborted when the server stops and has waited long enough */
export type OutboxHandler = (item: OutboxDocument, signal: AbortSignal) => Promise<void>;

/** Thrown by a handler if every further attempt would fail too. The item is then marked as failed. */
export class PermanentFailure extends Error {}

const attemptsAtMost = 30;
const firstPauseMs = 2_000;
const longestPauseMs = 3_600_000;
/** The maximum number of items in memory that wait or run: of all companies together, and of one company. */
const taken = { atMost: 200, ofCompany: 20 } as const;

export interface NewOutboxItem {
  /** Null for work that belongs to no company. */
  companyId: string | null;
  kind: string;
  payload: Record<string, unknown>;
  at: string;
  /** The time from which the item is handled; absent: `at`. */
  dueAt?: string;
}

export async function enqueueOutboxItem(store: Store<Collections>, item: NewOutboxItem): Promise<void> {
  await enqueueOutboxItems(store, [item]);
}

export async function enqueueOutboxItems(store: Store<Collections>, items: readonly NewOutboxItem[]): Promise<void> {
  if (items.length === 0) return;
  await store.collection("outbox").insertMany(
    items.map(({ at, dueAt = at, ...item }) => ({
      _id: newId(),
      ...item,
      state: "pending" as const,
      attempts: 0,
      dueAt,
      lastError: null,
      createdAt: at,
    })),
  );
}

export interface Outbox {
  /** Handles all due items. @returns the number of items that succeeded; 0 while another server has the lease */
  drain(): Promise<number>;
  close(): Promise<void>;
}

export interface OutboxOptions {
  db: Database<Collections>;
  clock: Clock;
  leases: Leases;
  jobs: Jobs;
  log: Logger;
  handlers: Readonly<Record<string, OutboxHandler>>;
  /** The name of the lease. Two outboxes of a server have different names, so that both can run. */
  name?: string;
  /** The filter for the items that the outbox handles; all items by default. */
  of?: Filter<OutboxDocument>;
  /** The numbers of items handled at once: of all companies together, and of one company. */
  atOnce?: { all: number; ofCompany: number };
  leaseMs?: number;
  /** Milliseconds that running items have to end after close(). */
  graceMs?: number;
  /** Milliseconds between two checks for due items. Commits also start a check. */
  pollMs?: number;
}

export function startOutbox({
  db,
  clock,
  leases,
  jobs,
  log,
  handlers,
  name = "outbox",
  of = {},
  atOnce = { all: resources.outbox.atOnce, ofCompany: resources.outbox.companyAtOnce },
  leaseMs = 8_000,
  graceMs = 10_000,
  pollMs = 2_000,
}: OutboxOptions): Outbox {
  const items = db.collection("outbox");
  const job = jobs.watch(name, pollMs);
  const queue = createFairQueue({
    atOnce: atOnce.all,
    companyAtOnce: atOnce.ofCompany,
    companyWaiting: Number.POSITIVE_INFINITY,
    userWaiting: Number.POSITIVE_INFINITY,
    waitMs: 2 ** 31 - 1,
  });
  /** Waiting and running items, by id. */
  const tasks = new Map<string, { companyId: string | null; ended: Promise<void> }>();
  /**
   * Items whose work is done but not recorded as done. While the database refuses writes, their emails must not be sent
   * again.
   */
  const unrecorded = new Set<string>();
  /** Errors of the database, which `drain` throws. */
  const failures: unknown[] = [];
  let doneCount = 0;
  const stopped = new AbortController();
  let running: Promise<number> | null = null;
  let woken = Promise.withResolvers<void>();
  let closed = false;

  const dueFilter = (): Filter<OutboxDocument> => ({ ...of, state: "pending", dueAt: { $lte: clock.now() } });

  async function handleItem(item: OutboxDocument): Promise<void> {
    const handler = handlers[item.kind];
    const handling = `${item._id} ${item.dueAt}`;
    try {
      if (!handler) throw new Error(`nothing handles ${item.kind}`);
      if (!unrecorded.has(handling))
        // the commit of a request can wake the outbox, so name the item's company as the caller instead of that
        // request's
        await withCaller(serverCallerFor(item.companyId), () => handler(item, stopped.signal));
      unrecorded.add(handling);
      // the item isn't done if the handler or another write has given it a later due time
      const handled: Filter<OutboxDocument> = { _id: item._id, state: "pending", dueAt: item.dueAt };
      await items.updateOne(handled, { $set: { state: "done" }, $inc: { attempts: 1 } });
      unrecorded.delete(handling);
      doneCount++;
    } catch (error) {
      if (unrecorded.has(handling)) throw error;
      if (!stopped.signal.aborted) await recordFailure(item, error);
    }
  }

  async function recordFailure(item: OutboxDocument, error: unknown): Promise<void> {
    const attempts = item.attempts + 1;
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** item.attempts);
    const lastError = error instanceof Error ? error.message : String(error);
    const state = error instanceof PermanentFailure || attempts >= attemptsAtMost ? "failed" : "pending";
    log[state === "failed" ? "error" : "warn"]({ id: item._id, kind: item.kind, attempts, lastError }, "outbox");
    const dueAt = new Date(clock.millis() + pause).toISOString();
    await items.updateOne({ _id: item._id }, { $set: { attempts, lastError, state, dueAt } });
  }

  function takeItem({ _id, companyId }: OutboxDocument, isHeld: () => boolean): void {
    const party = companyId ?? "server";
    const handleIfHeld = async () => {
      if (closed || !isHeld()) return;
      // read the item again, because it waited for its turn
      const [item] = await items.find({ _id, ...dueFilter() }, { limit: 1 });
      if (item) await handleItem(item);
    };
    const ended = queue
      .run(handleIfHeld, { companyId: party, userId: party })
      .then(() => job.succeeded())
      .catch((error: unknown) => {
        // close() refuses waiting items, which isn't a failure
        if (!closed) failures.push(error);
      })
      .finally(() => tasks.delete(_id));
    tasks.set(_id, { companyId, ended });
  }

  /** Takes due items until enough are in memory. A company with many items leaves room for the others. */
  async function takeDueItems(isHeld: () => boolean): Promise<void> {
    while (!closed && tasks.size < taken.atMost) {
      const full = [...countsByCompany()].flatMap(([companyId, count]) => (count < taken.ofCompany ? [] : [companyId]));
      const due = await items.find(
        { ...dueFilter(), _id: { $nin: [...tasks.keys()] }, companyId: { $nin: full } },
        { sort: { dueAt: 1 }, limit: taken.ofCompany },
      );
      if (due.length === 0) return;
      for (const item of due)
        if ((countsByCompany().get(item.companyId) ?? 0) < taken.ofCompany) takeItem(item, isHeld);
    }
  }

  function countsByCompany(): Map<string | null, number> {
    const counts = new Map<string | null, number>();
    for (const { companyId } of tasks.values()) counts.set(companyId, (counts.get(companyId) ?? 0) + 1);
    return counts;
  }

  async function drainOnce(): Promise<number> {
    // looks for due items before taking the lease: an idle outbox must not write every two seconds
    if (closed || (await items.find(dueFilter(), { limit: 1 })).length === 0) return 0;
    return (await leases.hold(name, leaseMs, (lost) => drainWhileHeld(() => !lost.aborted))) ?? 0;
  }

  async function drainWhileHeld(isHeld: () => boolean): Promise<number> {
    const before = doneCount;
    const endingTasks = () => [...tasks.values()].map(({ ended }) => ended);
    try {
      while (!closed && isHeld() && failures.length === 0) {
        woken = Promise.withResolvers();
        await takeDueItems(isHeld);
        // an item may take minutes and has its own time limit, so the job isn't overdue
        reportProgress();
        if (tasks.size === 0) break;
        await Promise.race([...endingTasks(), woken.promise]);
      }
    } finally {
      await Promise.all(endingTasks());
    }
    const [failure] = failures.splice(0);
    if (failure !== undefined) throw failure;
    return doneCount - before;
  }

  async function drainOutbox(): Promise<number> {
    running ??= drainOnce().finally(() => {
      running = null;
    });
    return running;
  }

  const drainSoon = () => {
    woken.resolve();
    void job.pass(drainOutbox);
  };
  const stopWatching = db.watch(["outbox"], drainSoon);
  const timer = setInterval(drainSoon, pollMs);
  timer.unref();

  return {
    drain: drainOutbox,
    async close() {
      closed = true;
      clearInterval(timer);
      stopWatching();
      queue.close();
      const late = setTimeout(() => stopped.abort(), graceMs);
      await running?.catch(() => 0);
      clearTimeout(late);
      await leases.release(name);
    },
  };
}
