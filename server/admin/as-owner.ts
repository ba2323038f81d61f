import { statSync } from "node:fs";
import process from "node:process";

/**
 * A task that root starts goes on as the owner of the data folder: the server could not open the files that root makes.
 * @returns the owner's id; null if nothing changed
 */
export function continueAsOwner(dataDir: string): number | null {
  if (process.getuid?.() !== 0) return null;
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder === undefined || folder.uid === 0) return null;
  process.setgroups?.([]);
  process.setgid?.(folder.gid);
  process.setuid?.(folder.uid);
  return folder.uid;
}
