/**
 * Manages all companies' repositories on this server: the order of work, their memory, and the handling of failures.
 */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { serverLimits } from "../capacity/resources.ts";
import { LedgerError } from "#core/repository/project.ts";
import {
  cleanAndCheckLooseObjects,
  DamagedRepositoryError,
  initializeRepository,
  loadRepository,
  type OpenRepository,
} from "./bare-repository.ts";
import { commitWaitingEvents, AlteredEventError, RefMovedError, type CommitterSettings } from "./committer.ts";
import { errorCodeOf, createFolderOnDisk, realDisk, type Disk } from "./disk.ts";
import { bundleFormat, createRepositoryFromBundle, writeBundle } from "./bundle.ts";
import { findGit } from "./git-process.ts";
import type { Ledger, RepositoryLog } from "./ledger.ts";
import { repackRepository } from "./maintenance.ts";
import { createKeyedQueue } from "../capacity/keyed-queue.ts";
import { rebuildAndReplace, removeLeftovers, removeRepository } from "./rebuild.ts";
import { createReader } from "./reader.ts";
import { readRef, type LockOptions } from "./refs.ts";
import { findDifferingRefs } from "./lost-refs.ts";
import { findDamagedPacks, verifyRepository, type VerifyReport } from "./verify.ts";
import { hasStandIns, isStillMissing, standInName } from "./stand-ins.ts";
import type { CopiedCache } from "../snapshots/job.ts";
import type { Snapshots } from "../snapshots/store.ts";

export interface RepositoriesOptions {
  /** The folder with `<companyId>.git`. */
  dir: string;
  ledger: Ledger;
  /** The copies that other servers offer, as a start for new repositories. */
  snapshots?: Pick<Snapshots, "take"> | null;
  /** The path of git; null: work without git; undefined: look in the usual folders. */
  git?: string | null;
  log: RepositoryLog;
  /** Called with the description of a part that can't be committed, and with a check whether it still can't. */
  onDamage?: (what: string, isStill: () => Promise<boolean>) => void;
  disk?: Disk;
  lock?: LockOptions;
  /** The number of events after which the refs move (200). */
  eventsAtOnce?: number;
  /** The number of loose objects that starts a repack (2,000). */
  looseLimit?: number;
}

export interface RepositoryHead {
  main: string | null;
  history: string | null;
  /** The event of the history's head; -1 before the first. */
  seq: number;
  /** The number of events saved but not committed here yet. */
  lag: number;
}

export interface Repositories {
  /** Commits the saved events soon. Never throws: failures are logged and tried again later. */
  wake(companyId: string): void;
  /**
   * Commits all events that were saved before the call.
   * @throws the error that stopped the commits
   */
  drain(companyId: string): Promise<void>;
  head(companyId: string): Promise<RepositoryHead>;
  /** Brings the repository up to date, rebuilds it if a power loss damaged a file, and then frees its memory. */
  check(companyId: string): Promise<void>;
  /** Rebuilds the repository from the ledger, swaps it with the old one, and repacks it in full. */
  rebuild(companyId: string): Promise<RepositoryHead>;
  /**
   * Compares the repository with the ledger, while the committer continues.
   * @param turn called after each piece of work @throws what `turn` throws
   */
  verify(companyId: string, expect?: string, turn?: () => Promise<void>): Promise<VerifyReport>;
  /** Returns a line for each damaged pack in the repository at this path. */
  findDamagedPacks(gitdir: string): Promise<string[]>;
  findDifferingRefs(companyId: string): Promise<string[]>;
  /**
   * Returns the commit of a tag, or without such a tag the commit with this id. Null if this server lacks the commit,
   * or if notes replace parts of the repository.
   */
  commit(
    companyId: string,
    of: { tag: string; oid: string | null },
  ): Promise<{ oid: string; content: Uint8Array } | null>;
  /** Packs loose objects now; `full` looks for deltas in the whole history. @throws Error on a server without git */
  repack(companyId: string, full?: boolean): Promise<void>;
  /** Says whether this server has the repository on its disk. */
  isHere(companyId: string): boolean;
  path(companyId: string): string;
  cache: CopiedCache;
  /** Waits for running commits, and ends git's repacks. They run again after the next start. */
  close(): Promise<void>;
}

const copied = { kind: "repository", format: bundleFormat } as const;
/** A backlog of at least this many events is packed in full, if it is most of the history. */
const backlogFrom = 50;
/** The name of the file that is in the repository while a full repack runs. */
const fullRepackFile = "full-repack";
const firstRetry = 2_000;
const longestRetry = 300_000;

export function createRepositories(options: RepositoriesOptions): Repositories {
  const { dir, ledger, log, snapshots, onDamage = () => undefined } = options;
  const disk = options.disk ?? realDisk;
  const looseLimit = options.looseLimit ?? 2_000;
  const settings: CommitterSettings = {
    disk,
    ledger,
    git: options.git === undefined ? findGit() : options.git,
    looseAtMost: looseLimit * 100,
    ...(options.eventsAtOnce === undefined ? {} : { eventsAtOnce: options.eventsAtOnce }),
    ...(options.lock === undefined ? {} : { lock: options.lock }),
  };
  const queue = createKeyedQueue(serverLimits.committers.atMost);
  const open = new Map<string, OpenRepository>();
  const loose = new Map<string, number>();
  const waking = new Map<string, Promise<void>>();
  const retries = new Map<string, { delay: number; timer: NodeJS.Timeout }>();
  const repacking = new Map<string, Promise<void>>();
  /** Companies whose full repack was ended by a stop. */
  const interrupted = new Set<string>();
  /**
   * The time of each repository's last request, in milliseconds since 1970. Commits of other servers don't count as
   * requests.
   */
  const used = new Map<string, number>();
  const closing = new AbortController();

  const gitdirOf = (companyId: string): string => {
    if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(companyId)) throw new Error("not a company id");
    return `${dir}/${companyId}.git`;
  };

  const loadRepositoryOf = async (companyId: string): Promise<OpenRepository> => {
    const gitdir = gitdirOf(companyId);
    await initializeRepository(disk, gitdir);
    if (!loose.has(companyId)) {
      await removeLeftovers(disk, gitdir);
      loose.set(companyId, await cleanAndCheckLooseObjects(disk, gitdir));
      if (existsSync(`${gitdir}/${fullRepackFile}`)) interrupted.add(companyId);
    }
    // while notes replace texts, the commits on disk stay, because the ledger doesn't record them
    const upTo = hasStandIns(gitdir) ? null : await ledger.firstPending(companyId);
    return loadRepository(disk, gitdir, settings.git, upTo ?? undefined);
  };

  const openRepositoryOf = async (companyId: string): Promise<OpenRepository> => {
    const known = open.get(companyId);
    const repository =
      known ?? (await loadOrCopy(companyId).catch((error) => replaceDamagedRepository(companyId, error)));
    open.delete(companyId);
    open.set(companyId, repository);
    const [oldest] = open.keys();
    if (open.size > serverLimits.repositories.atMost && oldest !== undefined) open.delete(oldest);
    return repository;
  };

  /** Loads the repository. Without one on disk, starts from the copy of another server. */
  const loadOrCopy = async (companyId: string): Promise<OpenRepository> => {
    const gitdir = gitdirOf(companyId);
    if (!snapshots || settings.git === null || existsSync(gitdir)) return loadRepositoryOf(companyId);
    await createFolderOnDisk(disk, dir);
    const file = `${gitdir}.bundle`;
    try {
      if (await snapshots.take({ companyId, ...copied }, file))
        await createRepositoryFromBundle(disk, settings.git, file, gitdir);
    } catch (error) {
      log.warn({ companyId, err: error }, "a copy of the repository can't be used: it is made from the ledger");
    } finally {
      await disk.remove(file);
    }
    const repository = await loadRepositoryOf(companyId);
    if (await isCopyOfLedger(companyId, repository)) return repository;
    log.warn({ companyId }, "a copy of the repository isn't of this ledger: it is made again");
    loose.delete(companyId);
    await disk.remove(gitdir);
    return loadRepositoryOf(companyId);
  };

  /**
   * Says whether the heads are commits of the ledger, which has all commit ids. A head's id covers all commits before
   * it.
   */
  const isCopyOfLedger = async (companyId: string, { refs }: OpenRepository): Promise<boolean> => {
    for (const branch of ["history", "main"] as const) {
      const { oid, seq } = refs[branch];
      if (oid === null) continue;
      const [event] = await ledger.events(companyId, seq, 1);
      if (event?.seq !== seq || (event.state !== "pending" && event.oids[branch] !== oid)) return false;
    }
    return true;
  };

  /** Copies the repository between two commits, so that all refs belong together. */
  const copyTo = (companyId: string, file: string): Promise<number> =>
    queue.run(companyId, async () => {
      const seq = open.get(companyId)?.refs.history.seq ?? -1;
      if (settings.git === null || seq < 0 || hasStandIns(gitdirOf(companyId))) return -1;
      await writeBundle(settings.git, gitdirOf(companyId), file);
      return seq;
    });

  const replaceDamagedRepository = async (companyId: string, error: unknown): Promise<OpenRepository> => {
    if (!(error instanceof DamagedRepositoryError)) throw error;
    log.warn({ companyId, err: error }, "repository is damaged: deleted, will be rebuilt from the ledger");
    loose.delete(companyId);
    await disk.remove(gitdirOf(companyId));
    return loadRepositoryOf(companyId);
  };

  const reportDamage = (companyId: string, { standIns }: OpenRepository): void => {
    for (const one of standIns)
      onDamage(`${standInName(one)} of company ${companyId}: it can't be committed`, () =>
        isStillMissing(ledger, companyId, one),
      );
  };

  /**
   * Rebuilds the repository from the ledger if all parts that notes replace can be read again.
   * @returns the rebuilt or the given one
   */
  const rebuildIfReadableAgain = async (companyId: string, repository: OpenRepository): Promise<OpenRepository> => {
    if (repository.standIns.length === 0) return repository;
    for (const one of repository.standIns) if (await isStillMissing(ledger, companyId, one)) return repository;
    log.info({ companyId }, "what the repository lacked is back: it is made again");
    open.delete(companyId);
    const whole = await rebuildAndReplace(settings, companyId, gitdirOf(companyId));
    open.set(companyId, whole);
    return whole;
  };

  /**
   * Commits the waiting events now.
   * @returns whether git should look for deltas, because the backlog was most of the history
   */
  const commitWaitingNow = async (companyId: string): Promise<boolean> => {
    for (let attempt = 0; ; attempt += 1) {
      const repository = await rebuildIfReadableAgain(companyId, await openRepositoryOf(companyId));
      try {
        const drained = await commitWaitingEvents(settings, companyId, gitdirOf(companyId), repository);
        loose.set(companyId, (loose.get(companyId) ?? 0) + drained.loose);
        reportDamage(companyId, repository);
        return drained.events >= backlogFrom && drained.events * 2 > repository.state.seq;
      } catch (error) {
        open.delete(companyId);
        // the repository was deleted while open, so create it again
        const gone = errorCodeOf(error) === "ENOENT" && attempt === 0;
        const isMoved = error instanceof RefMovedError || error instanceof AlteredEventError;
        if (!(isMoved && attempt < 20) && !gone) throw error;
      }
    }
  };

  const drainEvents = (companyId: string): Promise<void> => {
    const waiting = waking.get(companyId);
    if (waiting !== undefined) return waiting;
    const draining = queue.run(companyId, async () => {
      waking.delete(companyId);
      const isNew = await commitWaitingNow(companyId);
      if (hasStandIns(gitdirOf(companyId))) retryLater(companyId);
      else forgetRetry(companyId);
      if (interrupted.delete(companyId) || isNew) void repackOnce(companyId, true);
      else if ((loose.get(companyId) ?? 0) > looseLimit) void repackOnce(companyId);
    });
    waking.set(companyId, draining);
    return draining;
  };

  const forgetRetry = (companyId: string): void => {
    clearTimeout(retries.get(companyId)?.timer);
    retries.delete(companyId);
  };

  const wakeCommitter = (companyId: string): void => {
    if (closing.signal.aborted) return;
    drainEvents(companyId).catch((error: unknown) => {
      log.error({ companyId, err: error }, `commits to the repository wait: ${describeCommitError(error)}`);
      retryLater(companyId);
    });
  };

  const retryLater = (companyId: string): void => {
    if (closing.signal.aborted) return;
    const delay = Math.min((retries.get(companyId)?.delay ?? firstRetry / 2) * 2, longestRetry);
    clearTimeout(retries.get(companyId)?.timer);
    const timer = setTimeout(() => wakeCommitter(companyId), delay);
    timer.unref();
    retries.set(companyId, { delay, timer });
  };

  /**
   * Repacks while the committer continues, one run at a time. A full repack waits for a running repack, which can miss
   * objects.
   */
  const repackOnce = (companyId: string, full = false): Promise<void> => {
    const running = repacking.get(companyId);
    if (running !== undefined) return full ? running.then(() => repackOnce(companyId, true)) : running;
    // close() ends only running repacks: a repack that starts later would outlive the server
    if (settings.git === null || closing.signal.aborted) return Promise.resolve();
    const run = repackNow(settings.git, companyId, full)
      .catch((error: unknown) => {
        if (!closing.signal.aborted)
          log.warn({ companyId, err: error }, `repack failed: ${describeCommitError(error)}`);
      })
      .finally(() => repacking.delete(companyId));
    repacking.set(companyId, run);
    return run;
  };

  const repackNow = async (binary: string, companyId: string, full: boolean): Promise<void> => {
    loose.set(companyId, 0);
    const marker = `${gitdirOf(companyId)}/${fullRepackFile}`;
    if (full) await disk.writeFile(marker, "");
    await repackRepository(binary, gitdirOf(companyId), { full, signal: closing.signal });
    if (full) await disk.remove(marker);
  };

  const rebuildRepositoryOf = async (companyId: string): Promise<RepositoryHead> => {
    const head = await queue.run(companyId, async () => {
      await createFolderOnDisk(disk, dir);
      await repacking.get(companyId);
      open.delete(companyId);
      loose.set(companyId, 0);
      const repository = await rebuildAndReplace(settings, companyId, gitdirOf(companyId));
      open.set(companyId, repository);
      reportDamage(companyId, repository);
      return headOf(companyId, repository);
    });
    await repackOnce(companyId, true);
    return head;
  };

  const headOf = async (companyId: string, { refs }: OpenRepository): Promise<RepositoryHead> => ({
    main: refs.main.oid,
    history: refs.history.oid,
    seq: refs.history.seq,
    lag: Math.max(0, (await ledger.lastSeq(companyId)) - refs.history.seq),
  });

  // an open repository's head is read without waiting for a backlog of commits
  const headOfCompany = (companyId: string): Promise<RepositoryHead> => {
    const repository = open.get(companyId);
    if (repository !== undefined) return headOf(companyId, repository);
    return queue.run(companyId, async () => headOf(companyId, await openRepositoryOf(companyId)));
  };

  const checkRepository = async (companyId: string): Promise<void> => {
    await drainEvents(companyId);
    await queue.run(companyId, async () => void open.delete(companyId));
  };

  const dropRepository = (companyId: string): Promise<void> =>
    queue.run(companyId, async () => {
      await repacking.get(companyId);
      open.delete(companyId);
      loose.delete(companyId);
      used.delete(companyId);
      await removeRepository(disk, gitdirOf(companyId));
    });

  return {
    wake: wakeCommitter,
    drain(companyId) {
      used.set(companyId, Date.now());
      return drainEvents(companyId);
    },
    path: gitdirOf,
    cache: {
      ...copied,
      dir,
      ending: ".git",
      usedAt: (companyId) => used.get(companyId) ?? null,
      drop: dropRepository,
      open: () => [...open].map(([companyId, { refs }]) => [companyId, refs.history.seq]),
      copyTo,
    },
    isHere: (companyId) => open.has(companyId) || existsSync(gitdirOf(companyId)),
    rebuild: rebuildRepositoryOf,
    head: headOfCompany,
    check: checkRepository,
    async verify(companyId, expect, turn = () => setImmediate()) {
      const verifyAgain = () =>
        verifyRepository({ disk, ledger, git: settings.git, turn }, companyId, gitdirOf(companyId), expect);
      const report = await verifyAgain();
      if (report.ok) return report;
      // a finding can come from an unfinished commit or repack, so check again when none runs
      return queue.run(companyId, async () => {
        await repacking.get(companyId);
        return verifyAgain();
      });
    },
    findDamagedPacks: (gitdir) => findDamagedPacks(disk, gitdir, () => setImmediate()),
    findDifferingRefs: (id) => findDifferingRefs({ disk, ledger, turn: () => setImmediate() }, id, gitdirOf(id)),
    async commit(companyId, { tag, oid: other }) {
      const gitdir = gitdirOf(companyId);
      if (hasStandIns(gitdir)) return null;
      const oid = (await readRef(disk, gitdir, `refs/tags/${tag}`)) ?? other;
      if (oid === null) return null;
      const content = await createReader(disk, gitdir, settings.git)
        .commitContent(oid)
        .catch(() => null);
      return content && { oid, content };
    },
    async repack(companyId, full) {
      if (settings.git === null) throw new Error("This server has no git, so it can't pack a repository");
      await repackOnce(companyId, full);
    },
    close: async () => {
      closing.abort();
      for (const companyId of retries.keys()) forgetRetry(companyId);
      await Promise.allSettled(repacking.values());
      await queue.idle();
      open.clear();
    },
  };
}

function describeCommitError(error: unknown): string {
  if (error instanceof LedgerError) return `${error.message}; run "sop admin verify --repo"`;
  return error instanceof Error ? error.message : String(error);
}
