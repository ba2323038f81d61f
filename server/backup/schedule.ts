/** Makes the server's own backups: the first once the installation has data, then one every BACKUP_HOURS. */
import { AsyncLocalStorage } from "node:async_hooks";
import { rmSync } from "node:fs";
import path from "node:path";
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import { countAndNoun } from "#core/text/count-and-noun.ts";
import { startWorker } from "../capacity/start-thread.ts";
import type { Config } from "../config.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { respondsInTime } from "../http/health.ts";
import type { Leases } from "../jobs/leases.ts";
import { reportProgress, type Jobs } from "../jobs/overdue.ts";
import { failureReason } from "../foreign-failure.ts";
import { isFromFuture } from "./folder.ts";
import { findLastBackup, loadRecordedBackups, type LastBackup } from "./last.ts";
import { prepareBackupFolder, isOnOtherDisk, isInsideDataFolder } from "./place.ts";
import type { BackupReply } from "./worker.ts";

interface BackupSchedule {
  config: Config;
  db: Database<Collections>;
  clock: Clock;
  log: Logger;
}

export interface BackupState {
  last: LastBackup | null;
  /** A sentence for operators; null if all is well. */
  warning: string | null;
  /** The state for operators if there is no warning; else empty. */
  text: string;
}

export interface Backups {
  /** Loads the state. If the disk of BACKUP_DIR is slow, returns the last known state or a warning. */
  state(): Promise<BackupState>;
  /** Starts the job that makes due backups. Without BACKUP_DIR, does nothing. @returns a function that stops the job */
  start(of: { leases: Leases; jobs: Jobs }): () => Promise<void>;
}

const lookEveryMs = 60_000;
/** Milliseconds to wait for the backup folder: less than the second that balancers wait for `/readyz`. */
const answerWithinMs = 500;
/** Milliseconds without an answer after which a disk counts as stalled. */
const stallsMs = 5_000;
const leaseMs = 60_000;
const hourMs = 3_600_000;
/** Milliseconds until the next try after a failure. A full disk usually stays full for a while. */
const againMs = 10 * 60_000;
/** The age in hours at which a backup is overdue if the operator runs backups, at least weekly. */
const ownTimerHours = 8 * 24;

export function createBackups(scheduled: BackupSchedule): Backups {
  const { config, clock, log } = scheduled;
  let failed: { at: number; error: unknown } | null = null;
  let known: BackupState = { last: null, warning: null, text: "the server looks for them" };
  let looking: { seen: Promise<BackupState>; since: number; isLate: boolean } | null = null;

  async function readBackupState(): Promise<BackupState> {
    const last = await findLastBackup(scheduled.db, config, clock.millis());
    known = { last, ...(await loadBackupStateText(scheduled, last, failed?.error)) };
    return known;
  }

  async function makeDueBackup(stopped: AbortSignal): Promise<void> {
    // another server may have made the backup since the lease was requested
    if (!(await isBackupDue(scheduled))) return;
    // until the next try is due, fail again with the same error, so that it stays visible
    if (failed !== null && clock.millis() - failed.at < againMs) throw failed.error;
    try {
      log.info(await makeBackupInThread(config, stopped), "a backup was written");
      failed = null;
    } catch (error) {
      if (!stopped.aborted) failed = { at: clock.millis(), error };
      throw error;
    }
  }

  return {
    async state() {
      // a stalled disk blocks one of the few file threads, so several calls share one check
      looking ??= { seen: readBackupState().finally(() => (looking = null)), since: performance.now(), isLate: false };
      const now = looking;
      if (config.backup.dir !== null && !now.isLate)
        now.isLate = !(await respondsInTime(
          now.seen.catch(() => null),
          answerWithinMs,
        ));
      if (!now.isLate) return now.seen;
      // a delay of less than this can also come from a busy machine
      if (performance.now() - now.since < stallsMs) return known;
      return { last: known.last, warning: "BACKUP_DIR does not answer: check its disk", text: "" };
    },
    start({ leases, jobs }) {
      if (config.backup.dir === null) return async () => undefined;
      return jobs.every({ name: "backups", everyMs: lookEveryMs, firstMs: 0 }, async (stopped) => {
        if (!(await isBackupDue(scheduled))) {
          failed = null;
          return;
        }
        const fault = await prepareConfiguredBackupFolder(scheduled);
        if (fault !== null) throw new Error(fault);
        await leases.hold("backup", leaseMs, (lost) => makeDueBackup(AbortSignal.any([stopped, lost])));
      });
    },
  };
}

async function isBackupDue({ config, db, clock }: Omit<BackupSchedule, "log">): Promise<boolean> {
  const last = await findLastBackup(db, config, clock.millis());
  if (last === null) return !(await hasNoCompany(db));
  const age = clock.millis() - Date.parse(last.at);
  const dueMs = config.backup.hours * hourMs;
  if (isFromFuture(last, clock.millis()) || age >= dueMs) return true;
  return last.sops === 0 && age >= Math.min(hourMs, dueMs) && (await db.collection("sops").findOne({})) !== null;
}

/** Says whether the server is before its set-up, when there is no data to back up. */
const hasNoCompany = async (db: Database<Collections>) => (await db.collection("companies").findOne({})) === null;

/** Returns the worker's file: JavaScript next to the server's bundle, or TypeScript when run from source. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./backup-worker.js", import.meta.url);
}

function makeBackupInThread(config: Config, stopped: AbortSignal): Promise<object> {
  return new Promise((resolve, reject) => {
    const worker = startWorker("backup", workerFile(), config);
    let draft: string | null = null;
    const stopWorker = () => void worker.terminate();
    stopped.addEventListener("abort", stopWorker, { once: true });
    // the worker's messages arrive outside of the job's async context, so the function is bound to that context
    const progress = AsyncLocalStorage.bind(reportProgress);
    worker.on("message", (reply: BackupReply) => {
      if ("done" in reply) resolve(reply.done);
      else if ("failed" in reply) reject(new Error(reply.failed));
      else if ("draft" in reply) draft = reply.draft;
      else progress();
    });
    worker.once("error", reject);
    worker.once("exit", () => {
      stopped.removeEventListener("abort", stopWorker);
      // a terminated thread leaves its unfinished file; after a finished backup, this path doesn't exist
      if (draft !== null) rmSync(draft, { force: true });
      reject(new Error("the backup was stopped"));
    });
  });
}

async function loadBackupStateText(
  scheduled: Omit<BackupSchedule, "log">,
  last: LastBackup | null,
  error: unknown,
): Promise<Omit<BackupState, "last">> {
  const { config, db, clock } = scheduled;
  const { dir, hours } = config.backup;
  const warningOf = (warning: string) => ({ warning, text: "" });
  const fault = await prepareConfiguredBackupFolder(scheduled);
  if (fault !== null) return warningOf(fault);
  if (error instanceof Error) return warningOf(`the last backup failed: ${failureReason(error)}`);
  if (last === null) {
    if (dir === null)
      return config.servesOthers
        ? warningOf("there are no backups: set BACKUP_DIR")
        : { warning: null, text: "this server makes none, and none is known" };
    if (await hasNoCompany(db)) return { warning: null, text: "the first one is made after the set-up" };
    const [gone] = (await loadRecordedBackups(db, config)).filter(({ file }) => path.dirname(file) === dir);
    return warningOf(gone ? `the backup of ${gone.at} is no longer in BACKUP_DIR` : "there is no backup yet");
  }
  if (last.damaged > 0)
    return warningOf(`damage in ${countAndNoun(last.damaged, "place")} is in the last backup: run sop admin verify`);
  if (isFromFuture(last, clock.millis()))
    return warningOf(`the date of the last backup lies in the future (${last.at}): check the clock, then make one`);
  const age = clock.millis() - Date.parse(last.at);
  if (age > (dir === null ? ownTimerHours : 2 * hours) * hourMs)
    return warningOf(`the last backup is ${formatMinutesOrHours(age)} old`);
  if (dir !== null && (await isInsideDataFolder(config.dataDir, dir)))
    return warningOf("BACKUP_DIR lies in DATA_DIR: who loses the one loses the other. Name a folder elsewhere");
  const isSame = dir !== null && !(await isOnOtherDisk(config.dataDir, dir));
  return { warning: null, text: `the last one is of ${last.at}${isSame ? ", on the disk of DATA_DIR" : ""}` };
}

function formatMinutesOrHours(ms: number): string {
  return ms < 2 * hourMs ? `${Math.floor(ms / 60_000)} minutes` : `${Math.floor(ms / hourMs)} hours`;
}

/**
 * Creates BACKUP_DIR if it is missing, and checks it.
 * @returns why no backup can be written there; null if one can, or without BACKUP_DIR
 */
async function prepareConfiguredBackupFolder({ config, db }: Omit<BackupSchedule, "log">): Promise<string | null> {
  const { dir } = config.backup;
  if (dir === null) return null;
  const fault = await prepareBackupFolder(dir);
  if (fault !== null) return `BACKUP_DIR can't be written: ${fault}`;
  // with MongoDB, several servers share one record but have different disks, so the check below would be wrong
  if (db.engine === "mongodb") return null;
  const [before] = (await loadRecordedBackups(db, config)).filter(({ file }) => path.dirname(file) === dir);
  if (!before?.isApart || (await isOnOtherDisk(config.dataDir, dir))) return null;
  return "BACKUP_DIR was on another disk than DATA_DIR, and now isn't: mount it, or run sop admin backup into the folder";
}
