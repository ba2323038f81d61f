/** Writes a backup of the server in a worker thread, so that requests don't wait for it. */
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "#core/clock.ts";
import { yieldToRequests } from "../capacity/yield-to-requests.ts";
import type { Config } from "../config.ts";
import { explainFailure } from "../start-failure.ts";
import { removeOldBackups } from "./folder.ts";
import { makeBackup } from "./make.ts";
import type { WrittenBackup } from "./write.ts";

export type BackupReply =
  | { progress: true }
  | { draft: string }
  /** The reason of the failure, as a sentence for operators. */
  | { failed: string }
  | { done: Pick<WrittenBackup, "file" | "at" | "bytes" | "seconds" | "missing"> };

const config = workerData as Config;
const { dir, keep, passphrase } = config.backup;
if (dir === null) throw new Error("BACKUP_DIR is not set");
yieldToRequests("nothing");
const postBackupReply = (message: BackupReply) => parentPort?.postMessage(message);
try {
  const { file, at, bytes, seconds, missing, owner } = await makeBackup({
    config,
    clock: systemClock,
    target: dir,
    passphrase,
    onDraft: (draft) => postBackupReply({ draft }),
    onProgress: () => postBackupReply({ progress: true }),
  });
  await removeOldBackups(dir, { owner, count: keep, written: file, now: systemClock.millis() });
  postBackupReply({ done: { file, at, bytes, seconds, missing } });
} catch (error) {
  const failure = explainFailure(error);
  if (failure === null) throw error;
  postBackupReply({ failed: failure.message });
}
