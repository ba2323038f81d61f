/** Backups that the server makes by itself: at its first start with BACKUP_DIR, then every BACKUP_HOURS. */
import { AsyncLocalStorage } from "node:async_hooks";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Clock } from "#core/clock.ts";
import type { Config } from "../config.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Leases } from "../jobs/leases.ts";
import { reportProgress, type Jobs } from "../jobs/overdue.ts";
import { lastBackup } from "./last.ts";
import type { BackupReply } from "./worker.ts";

interface Scheduled {
  config: Config;
  db: Database<Collections>;
  clock: Clock;
  log: Logger;
}

const lookEveryMs = 60_000;
const leaseMs = 60_000;
const hourMs = 3_600_000;
/** A disk that is full stays full for a while. */
const againMs = 10 * 60_000;

/** Does nothing without BACKUP_DIR. */
export function startBackups(
  scheduled: Scheduled,
  { leases, jobs }: { leases: Leases; jobs: Jobs },
): () => Promise<void> {
  const { config, clock, log } = scheduled;
  if (config.backup.dir === null) return async () => undefined;
  let failed: { at: number; error: unknown } | null = null;
  const backUp = async (stopped: AbortSignal): Promise<void> => {
    // another server may have made it
    if (!(await isDue(scheduled))) return;
    // the job keeps failing until the next try
    if (failed !== null && clock.millis() - failed.at < againMs) throw failed.error;
    try {
      log.info(await inThread(config, stopped), "a backup was written");
      failed = null;
    } catch (error) {
      if (!stopped.aborted) failed = { at: clock.millis(), error };
      throw error;
    }
  };
  return jobs.every({ name: "backups", everyMs: lookEveryMs, firstMs: 0 }, async (stopped) => {
    if (await isDue(scheduled))
      await leases.hold("backup", leaseMs, (lost) => backUp(AbortSignal.any([stopped, lost])));
  });
}

async function isDue({ config, db, clock }: Omit<Scheduled, "log">): Promise<boolean> {
  const last = await lastBackup(db, config);
  if (last === null) return true;
  const age = clock.millis() - Date.parse(last.at);
  // one from the future was made by a clock that was wrong
  return age < 0 || age >= config.backup.hours * hourMs;
}

/** Built, the worker is a file beside the server's; from source it is its TypeScript. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./backup-worker.js", import.meta.url);
}

function inThread(config: Config, stopped: AbortSignal): Promise<object> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(), { workerData: config });
    const stop = () => void worker.terminate();
    stopped.addEventListener("abort", stop, { once: true });
    // the job's own context: messages come from another one
    const progress = AsyncLocalStorage.bind(reportProgress);
    worker.on("message", (reply: BackupReply) => {
      if ("done" in reply) resolve(reply.done);
      else progress();
    });
    worker.once("error", reject);
    worker.once("exit", () => {
      stopped.removeEventListener("abort", stop);
      reject(new Error("the backup was stopped"));
    });
  });
}

/** A warning for operators: of a server that makes none itself, it says nothing. */
export async function backupWarning({ config, db, clock }: Omit<Scheduled, "log">): Promise<string | null> {
  if (config.backup.dir === null) return null;
  const last = await lastBackup(db, config);
  if (last === null) return "there is no backup yet";
  const hours = (clock.millis() - Date.parse(last.at)) / hourMs;
  return hours > 2 * config.backup.hours ? `the last backup is ${Math.floor(hours)} hours old` : null;
}
