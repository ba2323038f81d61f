/**
 * Backups in a folder: their names, their installations, and how many stay. Several installations can share a folder.
 */
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";

const pattern = /^sopwright-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]{12})\.ndjson\.gz$/;
/** The time without writes after which a draft counts as left behind by a killed program. */
const leftBehindMs = 3_600_000;
/** Clocks of servers can differ by this much. */
const clockSlackMs = 5 * 60_000;

export interface OwnBackup {
  name: string;
  /** ISO 8601, without fractions of the second. */
  at: string;
}

/** The random end of an installation's id. */
const installationMark = (owner: string) => owner.replaceAll("-", "").slice(-12);

/** @param at ISO 8601 @param owner the installation; null for data of a version without ids */
export function backupName(at: string, owner: string | null): string {
  const time = `${at.slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  return `sopwright-${time}${owner === null ? "" : `-${installationMark(owner)}`}.ndjson.gz`;
}

/** The path of the new backup. In a folder, the time and the installation give the file's name. */
export async function backupTargetFile(target: string, at: string, owner: string | null): Promise<string> {
  const found = await stat(target).catch(() => null);
  return found?.isDirectory() ? path.join(target, backupName(at, owner)) : target;
}

/**
 * The installation's own backups, oldest first. Leaves out files of other installations and files without an
 * installation.
 */
export async function ownBackups(folder: string, owner: string | null): Promise<OwnBackup[]> {
  if (owner === null) return [];
  const names = (await readdir(folder)).sort();
  return names.flatMap((name) => {
    const [, year, month, day, hour, minute, second, of] = pattern.exec(name) ?? [];
    return of === installationMark(owner) ? [{ name, at: `${year}-${month}-${day}T${hour}:${minute}:${second}Z` }] : [];
  });
}

/** True if a wrong clock made the backup's date. */
export function isFromFuture({ at }: Pick<OwnBackup, "at">, now: number): boolean {
  return Date.parse(at) > now + clockSlackMs;
}

export interface KeepBackupsOptions {
  owner: string | null;
  count: number;
  /** The file that was just written. It stays even if the clock is wrong. */
  written: string;
  /** The time in milliseconds. */
  now: number;
}

/** Removes the oldest own backups. A backup with a date in the future stays, and isn't counted. */
export async function keepNewest(folder: string, { owner, count, written, now }: KeepBackupsOptions): Promise<void> {
  const counted = (await ownBackups(folder, owner)).filter((one) => !isFromFuture(one, now));
  for (const { name } of counted.slice(0, -count))
    if (name !== path.basename(written)) await rm(path.join(folder, name), { force: true });
}

/** Removes drafts that were left behind. Call before a new backup, which needs the space. */
export async function removeDrafts(folder: string, owner: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(".part") || pattern.exec(name.slice(0, -".part".length))?.at(-1) !== installationMark(owner))
      continue;
    const draft = path.join(folder, name);
    const found = await stat(draft).catch(() => null);
    if (found && Date.now() - found.mtimeMs > leftBehindMs) await rm(draft, { force: true }).catch(() => undefined);
  }
}
