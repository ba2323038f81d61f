/** All companies' repositories on this server: the order of work, their memory, and the handling of failures. */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { serverLimits } from "../capacity/resources.ts";
import { LedgerError } from "#core/repository/project.ts";
import {
  checkLooseObjects,
  DamagedRepositoryError,
  initializeRepository,
  loadRepository,
  type OpenRepository,
} from "./bare-repository.ts";
import { drainInto, AlteredEventError, RefMovedError, type CommitterSettings } from "./committer.ts";
import { errorCode, makeFolderOnDisk, realDisk, type Disk } from "./disk.ts";
import { bundleFormat, openBundle, writeBundle } from "./bundle.ts";
import { findGit } from "./git-process.ts";
import type { Ledger, RepositoryLog } from "./ledger.ts";
import { repackRepository } from "./maintenance.ts";
import { createQueue } from "../capacity/keyed-queue.ts";
import { rebuildCopy, removeLeftovers, removeRepository } from "./rebuild.ts";
import { createReader } from "./reader.ts";
import { readRef, type LockOptions } from "./refs.ts";
import { lostRefs } from "./lost-refs.ts";
import { damagedPacks, verifyRepository, type VerifyReport } from "./verify.ts";
import { hasStandIns, isStillMissing, standInName } from "./stand-ins.ts";
import type { CopiedCache } from "../snapshots/job.ts";
import type { Snapshots } from "../snapshots/store.ts";

export interface RepositoriesOptions {
  /** The folder with `<companyId>.git`. */
  dir: string;
  ledger: Ledger;
  /** Copies of other servers, as a start for new repositories. */
  snapshots?: Pick<Snapshots, "take"> | null;
  /** The path of git; null: work without git; undefined: look in the usual places. */
  git?: string | null;
  log: RepositoryLog;
  /** Called with the description of events that can't be committed, and with a check if they still can't. */
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
  /** Call after a save: drains soon. Never throws; failures are logged and tried again later. */
  wake(companyId: string): void;
  /** Resolves when all events saved before the call are committed. @throws the error that stopped it */
  drain(companyId: string): Promise<void>;
  head(companyId: string): Promise<RepositoryHead>;
  /** Brings the repository up to date, rebuilds it if a power loss tore a file, and then frees its memory. */
  check(companyId: string): Promise<void>;
  /** Rebuilds the repository from the ledger, swaps it with the old one, and repacks it in full. */
  rebuild(companyId: string): Promise<RepositoryHead>;
  /**
   * Compares the repository with the ledger, beside the committer.
   * @param turn called after each piece of work @throws what `turn` throws
   */
  verify(companyId: string, expect?: string, turn?: () => Promise<void>): Promise<VerifyReport>;
  /** Faults of the packs in the repository at this path. */
  damagedPacks(gitdir: string): Promise<string[]>;
  lostRefs(companyId: string): Promise<string[]>;
  /** The commit of a tag, or the commit with this id; null if this server lacks it, or it differs from the ledger. */
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
  /** Waits for running commits, and ends git's repacks, which run after the next start. */
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
  const queue = createQueue(serverLimits.committers.atMost);
  const open = new Map<string, OpenRepository>();
  const loose = new Map<string, number>();
  const waking = new Map<string, Promise<void>>();
  const retries = new Map<string, { delay: number; timer: NodeJS.Timeout }>();
  const repacking = new Map<string, Promise<void>>();
  /** Companies whose full repack was ended by a stop. */
  const interrupted = new Set<string>();
  /** The time of each repository's last request, in milliseconds since 1970. Commits of other servers don't count. */
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
      loose.set(companyId, await checkLooseObjects(disk, gitdir));
      if (existsSync(`${gitdir}/${fullRepackFile}`)) interrupted.add(companyId);
    }
    // notes in place of texts make other commits, which the ledger doesn't record, so the commits on disk stay
    const upTo = hasStandIns(gitdir) ? null : await ledger.firstPending(companyId);
    return loadRepository(disk, gitdir, settings.git, upTo ?? undefined);
  };

  const openedRepository = async (companyId: string): Promise<OpenRepository> => {
    const known = open.get(companyId);
    const repository = known ?? (await loadOrCopy(companyId).catch((error) => restartDamaged(companyId, error)));
    open.delete(companyId);
    open.set(companyId, repository);
    const [oldest] = open.keys();
    if (open.size > serverLimits.repositories.atMost && oldest !== undefined) open.delete(oldest);
    return repository;
  };

  /** Loads the repository. A missing one begins as the copy of another server. */
  const loadOrCopy = async (companyId: string): Promise<OpenRepository> => {
    const gitdir = gitdirOf(companyId);
    if (!snapshots || settings.git === null || existsSync(gitdir)) return loadRepositoryOf(companyId);
    await makeFolderOnDisk(disk, dir);
    const file = `${gitdir}.bundle`;
    try {
      if (await snapshots.take({ companyId, ...copied }, file)) await openBundle(disk, settings.git, file, gitdir);
    } catch (error) {
      log.warn({ companyId, err: error }, "a copy of the repository can't be used: it is made from the ledger");
    } finally {
      await disk.remove(file);
    }
    const repository = await loadRepositoryOf(companyId);
    if (await isOfLedger(companyId, repository)) return repository;
    log.warn({ companyId }, "a copy of the repository isn't of this ledger: it is made again");
    loose.delete(companyId);
    await disk.remove(gitdir);
    return loadRepositoryOf(companyId);
  };

  /** Compares the head with the ledger, which has all commit ids. A head's id is a hash of all before it. */
  const isOfLedger = async (companyId: string, { refs }: OpenRepository): Promise<boolean> => {
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

  const restartDamaged = async (companyId: string, error: unknown): Promise<OpenRepository> => {
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

  /** Rebuilds the repository from the ledger once everything that notes replace can be read again. */
  const withoutStandIns = async (companyId: string, repository: OpenRepository): Promise<OpenRepository> => {
    if (repository.standIns.length === 0) return repository;
    for (const one of repository.standIns) if (await isStillMissing(ledger, companyId, one)) return repository;
    log.info({ companyId }, "what the repository lacked is back: it is made again");
    open.delete(companyId);
    const whole = await rebuildCopy(settings, companyId, gitdirOf(companyId));
    open.set(companyId, whole);
    return whole;
  };

  /** @returns whether git should look for deltas: the backlog was most of the history */
  const drainNow = async (companyId: string): Promise<boolean> => {
    for (let attempt = 0; ; attempt += 1) {
      const repository = await withoutStandIns(companyId, await openedRepository(companyId));
      try {
        const drained = await drainInto(settings, companyId, gitdirOf(companyId), repository);
        loose.set(companyId, (loose.get(companyId) ?? 0) + drained.loose);
        reportDamage(companyId, repository);
        return drained.events >= backlogFrom && drained.events * 2 > repository.state.seq;
      } catch (error) {
        open.delete(companyId);
        // The repository was deleted while open: create it again.
        const gone = errorCode(error) === "ENOENT" && attempt === 0;
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
      const isNew = await drainNow(companyId);
      if (hasStandIns(gitdirOf(companyId))) retryLater(companyId);
      else forgetRetry(companyId);
      if (interrupted.delete(companyId) || isNew) void tidyRepository(companyId, true);
      else if ((loose.get(companyId) ?? 0) > looseLimit) void tidyRepository(companyId);
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
   * Repacks beside the committer, one run at a time. A full repack waits for the running one, which can miss objects.
   */
  const tidyRepository = (companyId: string, full = false): Promise<void> => {
    const running = repacking.get(companyId);
    if (running !== undefined) return full ? running.then(() => tidyRepository(companyId, true)) : running;
    // close() ends only running repacks: a later one would outlive the server
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
      await makeFolderOnDisk(disk, dir);
      await repacking.get(companyId);
      open.delete(companyId);
      loose.set(companyId, 0);
      const repository = await rebuildCopy(settings, companyId, gitdirOf(companyId));
      open.set(companyId, repository);
      reportDamage(companyId, repository);
      return headOf(companyId, repository);
    });
    await tidyRepository(companyId, true);
    return head;
  };

  const headOf = async (companyId: string, { refs }: OpenRepository): Promise<RepositoryHead> => ({
    main: refs.main.oid,
    history: refs.history.oid,
    seq: refs.history.seq,
    lag: Math.max(0, (await ledger.lastSeq(companyId)) - refs.history.seq),
  });

  // the head on disk can be read during a backlog
  const headOfCompany = (companyId: string): Promise<RepositoryHead> => {
    const repository = open.get(companyId);
    if (repository !== undefined) return headOf(companyId, repository);
    return queue.run(companyId, async () => headOf(companyId, await openedRepository(companyId)));
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
      // a finding can come from an unfinished commit or repack: check again in turn, when none runs
      return queue.run(companyId, async () => {
        await repacking.get(companyId);
        return verifyAgain();
      });
    },
    damagedPacks: (gitdir) => damagedPacks(disk, gitdir, () => setImmediate()),
    lostRefs: (id) => lostRefs({ disk, ledger, turn: () => setImmediate() }, id, gitdirOf(id)),
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
      await tidyRepository(companyId, full);
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
