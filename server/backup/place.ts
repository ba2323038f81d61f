/** Checks BACKUP_DIR: whether this user can write there, and on which disk it is. */
import { constants } from "node:fs";
import { access, mkdir, realpath, stat } from "node:fs/promises";
import path from "node:path";

const faults: Partial<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOTDIR: "it is not a folder",
  EROFS: "the disk is read-only",
};

const systemErrorCode = (error: unknown) => (error as NodeJS.ErrnoException).code ?? "";

/**
 * Creates the folder if it is missing, but not its parents: a missing parent can be a disk that isn't mounted.
 * @returns why this user can't write into the folder; null if the user can
 */
export async function prepareBackupFolder(folder: string): Promise<string | null> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return null;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return findFolderFault(folder);
    if (systemErrorCode(error) !== "ENOENT") return faults[systemErrorCode(error)] ?? systemErrorCode(error);
    const above = path.dirname(folder);
    const isThere = await stat(above).then(Boolean, () => false);
    return isThere ? "it can't be made there" : `there is no ${above}: mount its disk, or make the folder`;
  }
}

async function findFolderFault(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return faults["ENOTDIR"] ?? null;
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return faults[systemErrorCode(error)] ?? systemErrorCode(error);
  }
}

/** Says whether the two folders are on different disks. */
export async function isOnOtherDisk(dataDir: string, folder: string): Promise<boolean> {
  const [data, backups] = await Promise.all([stat(dataDir), stat(folder)]).catch(() => [null, null]);
  return data !== null && backups !== null && data.dev !== backups.dev;
}

/**
 * Says whether the backups are on the data folder's disk and in that folder, so that a failure would destroy data and
 * backups together. A disk mounted inside the data folder doesn't count.
 */
export async function isInsideDataFolder(dataDir: string, folder: string): Promise<boolean> {
  const [data, backups] = await Promise.all([realpath(dataDir), realpath(folder)]).catch(() => ["", ""]);
  if (data === "" || backups === "" || (await isOnOtherDisk(data, backups))) return false;
  return backups === data || backups.startsWith(`${data}${path.sep}`);
}
