/**
 * Makes a program that root started continue as the owner of the data folder. The owner couldn't open files that root
 * creates.
 */
import { statSync } from "node:fs";
import process from "node:process";
import { DataFolderError } from "../data-files.ts";

/**
 * Becomes the owner of the data folder.
 * @returns the owner's id; null if the user stays the same
 * @throws DataFolderError if root can't become another user, as in a container without capabilities
 */
export function continueAsOwner(dataDir: string): number | null {
  if (process.getuid?.() !== 0) return null;
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder === undefined || folder.uid === 0) return null;
  const { uid, gid } = folder;
  try {
    process.setgroups?.([]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
    throw new DataFolderError(
      `this is root, but without the right to go on as user ${uid}, who owns ${dataDir}. ` +
        `Run it as user ${uid}: with docker compose exec, leave out -u 0`,
    );
  }
  return uid;
}
