/**
 * Keeps mirrors up to date: 30 seconds after a change is committed, and again after failures with growing pauses. A
 * lease for each company decides which server runs the pass.
 */
import { AppError } from "#core/errors.ts";
import { withCaller } from "../capacity/caller.ts";
import type { MirrorDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { loadLastVerifications, type WitnessLine } from "../integrity/witness.ts";
import type { Leases } from "../jobs/leases.ts";
import type { Jobs } from "../jobs/overdue.ts";
import { realDisk } from "../repository/disk.ts";
import { findGit } from "../repository/git-process.ts";
import { folderOfFetches } from "./fetch.ts";
import { countOpenProposals } from "./incoming.ts";
import { runAndStorePass } from "./pass.ts";
import { loadPausedMirrorIds } from "./paused.ts";
import { dailyCheckToPush } from "./push.ts";
import { isRetryPending, readMirror } from "./store.ts";

export interface Mirrors {
  /** Runs the due passes and waits for the running ones. */
  run(): Promise<void>;
  close(): Promise<void>;
}

const lookEveryMs = 5_000;
/** Milliseconds to wait after a change, so that several changes in a row are pushed together. */
export const debounceMs = 30_000;
/** Milliseconds after which the remote's branch is read if the remote doesn't call the webhook. */
export const pollMs = 5 * 60_000;
const defaultLeaseMs = 60_000;
/**
 * Milliseconds after which a pass is ended. The next pass of this mirror waits in the queue that slow mirrors share.
 */
const usualPassMs = 2 * 60_000;
const longestPassMs = 15 * 60_000;

export interface MirrorOptions {
  /** The path of git; null if this server has none. */
  git?: string | null;
  leaseMs?: number;
  usualMs?: number;
}

export function startMirrors(
  services: Services,
  leases: Leases,
  jobs: Jobs,
  { git = findGit(), leaseMs = defaultLeaseMs, usualMs = usualPassMs }: MirrorOptions = {},
): Mirrors {
  const { db, clock, log, shares } = services;
  const job = jobs.watch("mirrors", lookEveryMs);
  const closing = new AbortController();
  /** The time of each company's first change that its mirror lacks. */
  const changed = new Map<string, number>();
  const running = new Map<string, Promise<void>>();
  /** Companies whose last pass was slow. */
  const slow = new Set<string>();
  // remove fetched data that the server's last run left behind
  const cleared = realDisk.remove(folderOfFetches(services.config.dataDir));

  async function startDuePasses(): Promise<void> {
    await cleared;
    const paused = await loadPausedMirrorIds(db);
    const mirrors = (await db.collection("mirrors").find({})).filter(({ _id }) => !paused.has(_id));
    if (mirrors.length === 0) return changed.clear();
    const ids = mirrors.map(({ _id }) => _id);
    const counters = await db.collection("counters").find({ _id: { $in: ids } }, { projection: { repoSeq: 1 } });
    const ends = new Map(counters.map(({ _id, repoSeq }) => [_id, repoSeq]));
    const verified = await loadLastVerifications(
      db,
      mirrors.filter(({ witness }) => witness).map(({ _id }) => _id),
    );
    for (const mirror of mirrors) {
      const last = verified.get(mirror._id) ?? null;
      if (isPassDue(mirror, ends.get(mirror._id) ?? 0) || (await hasNews(mirror, last))) startPass(mirror._id);
    }
  }

  function isPassDue(mirror: MirrorDocument, end: number): boolean {
    const now = clock.millis();
    if (closing.signal.aborted || isRetryPending(mirror, now)) return false;
    if (mirror.diverged.length > 0) return mirror.isTaking;
    if (mirror.checkedAt === null || mirror.problem !== null || mirror.isCalled) return true;
    if (mirror.incoming && isPollDue(mirror.incoming.polledAt, now)) return true;
    if (end <= mirror.pushedSeq) return changed.delete(mirror._id) && false;
    const since = changed.get(mirror._id) ?? now;
    changed.set(mirror._id, since);
    // a clock that was set back must not delay the push
    return Math.abs(now - since) >= debounceMs;
  }

  const isPollDue = (at: string | null, now: number) => at === null || Math.abs(now - Date.parse(at)) >= pollMs;

  /** Says whether there is a decision to report as the status of a commit, or a daily check to push. */
  async function hasNews(mirror: MirrorDocument, last: WitnessLine | null): Promise<boolean> {
    const { incoming, diverged } = mirror;
    if (closing.signal.aborted || diverged.length > 0 || isRetryPending(mirror, clock.millis())) return false;
    if (dailyCheckToPush(mirror, last) !== null) return true;
    return !!incoming && incoming.open > 0 && (await countOpenProposals(services, mirror._id)) !== incoming.open;
  }

  function startPass(companyId: string): void {
    if (running.has(companyId) || closing.signal.aborted) return;
    const caller = { companyId, userId: "mirror" };
    // in the queue, all slow mirrors count as one company, so that they don't delay the others
    const place = slow.has(companyId) ? { companyId: "slow mirrors", userId: companyId } : caller;
    const pass = withCaller(caller, () => shares.mirrors.run(() => runPassUnderLease(companyId), place))
      .catch((error: unknown) => {
        const isBusy = error instanceof AppError && (error.code === "busy" || error.code === "rate_limited");
        if (!isBusy && !closing.signal.aborted) log.error({ companyId, err: error }, "a pass of a mirror failed");
      })
      .finally(() => running.delete(companyId));
    running.set(companyId, pass);
  }

  async function runPassUnderLease(companyId: string): Promise<void> {
    await leases.hold(`mirror:${companyId}`, leaseMs, async (lost) => {
      const mirror = await readMirror(services, companyId);
      const company = await services.companies.get(companyId);
      if (!mirror || company?.status !== "active") return;
      changed.delete(companyId);
      const ended = [lost, closing.signal];
      const usual = AbortSignal.timeout(usualMs);
      const stopped = AbortSignal.any(slow.has(companyId) ? ended : [...ended, usual]);
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(longestPassMs)]);
      await runAndStorePass({ services, git, mirror, signal, stopped });
      if (usual.aborted) slow.add(companyId);
      else slow.delete(companyId);
    });
  }

  const startSoon = () => void job.pass(startDuePasses);
  const stop = db.watch(["mirrors", "proposals"], startSoon);
  const timer = setInterval(startSoon, lookEveryMs);
  timer.unref();
  startSoon();
  return {
    async run() {
      // twice: a running pass may have begun before the latest change
      for (let rounds = 0; rounds < 2; rounds++) {
        await job.pass(startDuePasses);
        while (running.size > 0) await Promise.all(running.values());
      }
    },
    async close() {
      closing.abort();
      clearInterval(timer);
      stop();
      await Promise.all(running.values());
    },
  };
}
