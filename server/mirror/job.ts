/**
 * Keeps mirrors up to date: 30 seconds after a change is committed, and again after failures with growing pauses. A
 * lease for each company decides which server pushes.
 */
import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "#core/errors.ts";
import { recordAudit } from "../audit/record.ts";
import { withCaller } from "../capacity/caller.ts";
import type { MirrorDocument } from "../database/documents.ts";
import { transactionFor } from "../database/turns.ts";
import { sendEvent } from "../events/send-event.ts";
import type { Services } from "../http/services.ts";
import type { Leases } from "../jobs/leases.ts";
import type { Jobs } from "../jobs/overdue.ts";
import { findGit } from "../repository/git-process.ts";
import { MirrorProblem } from "./hosts.ts";
import { pushMirror, type Pushed } from "./push.ts";
import { firstRetryMs, isPutOff, longestRetryMs, openToken, readMirror } from "./store.ts";

export interface Mirrors {
  /** Does what is due now, and what is being done. */
  run(): Promise<void>;
  close(): Promise<void>;
}

const lookEveryMs = 5_000;
/** Changes that follow one another go together. */
export const debounceMs = 30_000;
const defaultLeaseMs = 60_000;
const longestPassMs = 15 * 60_000;

export interface MirrorOptions {
  /** The git binary; null: this server has none. */
  git?: string | null;
  leaseMs?: number;
}

export function startMirrors(
  services: Services,
  leases: Leases,
  jobs: Jobs,
  { git = findGit(), leaseMs = defaultLeaseMs }: MirrorOptions = {},
): Mirrors {
  const { db, clock, log, shares } = services;
  const job = jobs.watch("mirrors", lookEveryMs);
  const closing = new AbortController();
  /** When a change of each company was first seen that its mirror lacks. */
  const changed = new Map<string, number>();
  const running = new Map<string, Promise<void>>();

  async function look(): Promise<void> {
    const mirrors = await db.collection("mirrors").find({});
    if (mirrors.length === 0) return changed.clear();
    const ids = mirrors.map(({ _id }) => _id);
    const counters = await db.collection("counters").find({ _id: { $in: ids } }, { projection: { repoSeq: 1 } });
    const ends = new Map(counters.map(({ _id, repoSeq }) => [_id, repoSeq]));
    for (const mirror of mirrors) {
      if (isDue(mirror, ends.get(mirror._id) ?? 0)) start(mirror._id);
    }
  }

  function isDue(mirror: MirrorDocument, end: number): boolean {
    const now = clock.millis();
    if (closing.signal.aborted || mirror.diverged.length > 0 || isPutOff(mirror, now)) return false;
    if (mirror.checkedAt === null || mirror.problem !== null) return true;
    if (end <= mirror.pushedSeq) return changed.delete(mirror._id) && false;
    const since = changed.get(mirror._id) ?? now;
    changed.set(mirror._id, since);
    // a clock that was set back must not hold it up
    return Math.abs(now - since) >= debounceMs;
  }

  function start(companyId: string): void {
    if (running.has(companyId)) return;
    const caller = { companyId, userId: "mirror" };
    const pass = withCaller(caller, () => shares.mirrors.run(() => passOf(companyId)))
      .catch((error: unknown) => {
        const isBusy = error instanceof AppError && (error.code === "busy" || error.code === "rate_limited");
        if (!isBusy && !closing.signal.aborted) log.error({ companyId, err: error }, "a pass of a mirror failed");
      })
      .finally(() => running.delete(companyId));
    running.set(companyId, pass);
  }

  async function passOf(companyId: string): Promise<void> {
    await leases.hold(`mirror:${companyId}`, leaseMs, async (lost) => {
      const mirror = await readMirror(services, companyId);
      const company = await services.companies.get(companyId);
      if (!mirror || mirror.diverged.length > 0 || company?.status !== "active") return;
      changed.delete(companyId);
      const signal = AbortSignal.any([lost, closing.signal, AbortSignal.timeout(longestPassMs)]);
      try {
        const pushed = await pushNow(mirror, signal);
        if (!lost.aborted) await storePushed(mirror, pushed);
      } catch (error) {
        // another server has the mirror now, or the next start goes on
        if (lost.aborted || closing.signal.aborted) return;
        const isKnown = error instanceof MirrorProblem;
        if (!isKnown) log.error({ companyId, err: error }, "a mirror failed");
        const slow = signal.aborted ? "The remote took too long" : "The server couldn't push. Its log says why";
        await storeProblem(mirror, isKnown ? error.message : slow);
      }
    });
  }

  function pushNow(mirror: MirrorDocument, signal: AbortSignal): Promise<Pushed> {
    const opened = openToken(services, mirror);
    if (!opened.ok) throw new MirrorProblem("The stored token can't be read. Enter it again");
    const remote = { url: mirror.url, username: mirror.username, token: opened.text };
    return pushMirror({ services, git, mirror, remote, signal });
  }

  async function storePushed(mirror: MirrorDocument, { seq, main, refs, diverged }: Pushed): Promise<void> {
    const at = clock.now();
    const isStopped = diverged.length > 0;
    const set: Partial<MirrorDocument> = isStopped
      ? { diverged, problem: null, failures: 0, retryAt: null, checkedAt: at }
      : {
          problem: null,
          failures: 0,
          retryAt: null,
          pushedSeq: seq,
          pushedMain: main,
          checkedAt: at,
          ...(refs > 0 ? { pushedAt: at } : {}),
        };
    if (isStopped) log.warn({ companyId: mirror._id }, "a mirror diverged and is stopped");
    await store(
      mirror,
      set,
      isStopped ? { refs: diverged.map(({ ref, theirs, ours }) => ({ ref, theirs, ours })) } : null,
    );
  }

  async function storeProblem(mirror: MirrorDocument, problem: string): Promise<void> {
    const failures = mirror.failures + 1;
    const pause = Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 10), longestRetryMs);
    const retryAt = new Date(clock.millis() + pause).toISOString();
    if (problem !== mirror.problem) log.warn({ companyId: mirror._id, problem }, "a mirror can't be pushed to");
    await store(mirror, { problem, failures, retryAt, checkedAt: clock.now() }, null);
  }

  /** Nothing if the settings changed during the pass. */
  function store(mirror: MirrorDocument, set: Partial<MirrorDocument>, divergence: Record<string, unknown> | null) {
    const { _id: companyId, round } = mirror;
    const at = clock.now();
    return transactionFor(db, companyId, async (tx) => {
      const mirrors = tx.forCompany(companyId).collection("mirrors");
      const { matchedCount } = await mirrors.updateOne({ _id: companyId, round }, { $set: set });
      if (matchedCount === 0) return;
      await sendEvent(tx, companyId, divergence === null ? ["mirror"] : ["mirror", "stats"], at);
      if (divergence === null) return;
      await recordAudit(tx, {
        companyId,
        userId: null,
        userName: null,
        action: "mirror.diverged",
        entityType: "company",
        entityId: companyId,
        changes: divergence,
        at,
        origin: null,
      });
    });
  }

  const soon = () => void job.pass(look);
  const stop = db.watch(["mirrors"], soon);
  const timer = setInterval(soon, lookEveryMs);
  timer.unref();
  soon();
  return {
    async run() {
      // twice: a pass that was under way may have begun before the latest change
      for (let rounds = 0; rounds < 2; rounds++) {
        await job.pass(look);
        while (running.size > 0) await Promise.all(running.values());
      }
    },
    async close() {
      closing.abort();
      clearInterval(timer);
      stop();
      while (running.size > 0) await Promise.race([Promise.all(running.values()), wait(10_000, null, { ref: false })]);
    },
  };
}
