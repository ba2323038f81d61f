/**
 * Manages backups in a folder: names the files, finds the backups of an installation, and removes old backups. Several
 * installations can share a folder.
 */
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";

const pattern = /^sopwright-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]{12})\.ndjson\.gz$/;
/** Milliseconds without writes after which an unfinished backup counts as left by a killed program. */
const leftBehindMs = 3_600_000;
/** Milliseconds by which the clocks of servers can differ. */
const clockSlackMs = 5 * 60_000;

export interface OwnBackup {
  name: string;
  /** ISO 8601, without fractions of the second. */
  at: string;
}

/** Returns the random end of an installation's id, which is part of the names of its backups. */
const installationMark = (owner: string) => owner.replaceAll("-", "").slice(-12);

/**
 * Returns the file name of a backup.
 * @param at ISO 8601
 * @param owner the installation; null for data of a version without ids
 */
export function backupFileName(at: string, owner: string | null): string {
  const time = `${at.slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  return `sopwright-${time}${owner === null ? "" : `-${installationMark(owner)}`}.ndjson.gz`;
}

/** Finds the path for the new backup. If the target is a folder, the time and the installation give the file's name. */
export async function resolveBackupFile(target: string, at: string, owner: string | null): Promise<string> {
  const found = await stat(target).catch(() => null);
  return found?.isDirectory() ? path.join(target, backupFileName(at, owner)) : target;
}

/**
 * Lists the installation's own backups in the folder, oldest first. Leaves out files whose name has another
 * installation or none.
 */
export async function listOwnBackups(folder: string, owner: string | null): Promise<OwnBackup[]> {
  if (owner === null) return [];
  const names = (await readdir(folder)).sort();
  return names.flatMap((name) => {
    const [, year, month, day, hour, minute, second, of] = pattern.exec(name) ?? [];
    return of === installationMark(owner) ? [{ name, at: `${year}-${month}-${day}T${hour}:${minute}:${second}Z` }] : [];
  });
}

/** Says whether the backup has a date in the future, which comes from a wrong clock. */
export function isFromFuture({ at }: Pick<OwnBackup, "at">, now: number): boolean {
  return Date.parse(at) > now + clockSlackMs;
}

export interface KeepBackupsOptions {
  owner: string | null;
  count: number;
  /** The file that was just written. It is never removed, even if a wrong clock gives it an old date. */
  written: string;
  /** The present time in milliseconds. */
  now: number;
}

/**
 * Removes the installation's oldest backups, so that `count` remain. Neither removes nor counts a backup with a date in
 * the future.
 */
export async function removeOldBackups(
  folder: string,
  { owner, count, written, now }: KeepBackupsOptions,
): Promise<void> {
  const counted = (await listOwnBackups(folder, owner)).filter((one) => !isFromFuture(one, now));
  for (const { name } of counted.slice(0, -count))
    if (name !== path.basename(written)) await rm(path.join(folder, name), { force: true });
}

/** Removes unfinished backups of killed programs. Call before a new backup, which needs the space. */
export async function removeAbandonedDrafts(folder: string, owner: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(".part") || pattern.exec(name.slice(0, -".part".length))?.at(-1) !== installationMark(owner))
      continue;
    const draft = path.join(folder, name);
    const found = await stat(draft).catch(() => null);
    if (found && Date.now() - found.mtimeMs > leftBehindMs) await rm(draft, { force: true }).catch(() => undefined);
  }
}
