/** Writes a backup of the server in a thread, so that requests don't wait for it. */
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "#core/clock.ts";
import { yieldToRequests } from "../capacity/yield-to-requests.ts";
import type { Config } from "../config.ts";
import { keepNewest } from "./folder.ts";
import { makeBackup, makeFolder } from "./make.ts";
import type { Written } from "./write.ts";

export type BackupReply = { progress: true } | { done: Pick<Written, "file" | "at" | "bytes" | "seconds"> };

const config = workerData as Config;
const { dir, keep, passphrase } = config.backup;
if (dir === null) throw new Error("BACKUP_DIR is not set");
yieldToRequests("nothing");
const reply = (message: BackupReply) => parentPort?.postMessage(message);
await makeFolder(dir);
const { file, at, bytes, seconds } = await makeBackup({
  config,
  clock: systemClock,
  target: dir,
  passphrase,
  onProgress: () => reply({ progress: true }),
});
await keepNewest(dir, keep);
reply({ done: { file, at, bytes, seconds } });
