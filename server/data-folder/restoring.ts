/** Finds the folder in `DATA_DIR` that a restore fills. No server starts before the restore is done. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { lockFolder } from "../database/sqlite/lock.ts";

export function restoringFolder(dataDir: string): string {
  return path.join(dataDir, "restoring");
}

/** Says whether a restore began but didn't finish. @throws DataFolderInUseError while the restore runs */
export function isHalfRestored(dataDir: string): boolean {
  if (!existsSync(restoringFolder(dataDir))) return false;
  if (statSync(path.join(dataDir, "sopwright.db"), { throwIfNoEntry: false })?.size) return false;
  const unlock = lockFolder(dataDir);
  unlock();
  return true;
}
