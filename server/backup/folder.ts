/** Backups in a folder: their names, whose they are, and how many stay. Several installations can share a folder. */
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";

const pattern = /^sopwright-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]{12})\.ndjson\.gz$/;
/** A draft that no backup has written to for this long was left behind: one of a killed program. */
const leftBehindMs = 3_600_000;
/** Clocks of servers differ a little. */
const clockSlackMs = 5 * 60_000;

export interface OwnBackup {
  name: string;
  /** ISO 8601, without fractions of the second */
  at: string;
}

/** The random end of an installation's id. */
const mark = (owner: string) => owner.replaceAll("-", "").slice(-12);

/** @param at ISO 8601 @param owner the installation; null: data of a version that had no ids */
export function backupName(at: string, owner: string | null): string {
  const time = `${at.slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  return `sopwright-${time}${owner === null ? "" : `-${mark(owner)}`}.ndjson.gz`;
}

/** A folder gets a file named by the time and the installation. */
export async function targetOf(target: string, at: string, owner: string | null): Promise<string> {
  const found = await stat(target).catch(() => null);
  return found?.isDirectory() ? path.join(target, backupName(at, owner)) : target;
}

/** The oldest first. Files of other installations, and others without an owner, are none. */
export async function ownBackups(folder: string, owner: string | null): Promise<OwnBackup[]> {
  if (owner === null) return [];
  const names = (await readdir(folder)).sort();
  return names.flatMap((name) => {
    const [, year, month, day, hour, minute, second, of] = pattern.exec(name) ?? [];
    return of === mark(owner) ? [{ name, at: `${year}-${month}-${day}T${hour}:${minute}:${second}Z` }] : [];
  });
}

/** Was it made by a clock that was wrong? */
export function isFromFuture({ at }: Pick<OwnBackup, "at">, now: number): boolean {
  return Date.parse(at) > now + clockSlackMs;
}

export interface Keeping {
  owner: string | null;
  count: number;
  /** The file that was just written: it stays, whatever the clock says. */
  written: string;
  /** Milliseconds */
  now: number;
}

/** Removes the oldest own ones. One with a date in the future stays, and counts as none. */
export async function keepNewest(folder: string, { owner, count, written, now }: Keeping): Promise<void> {
  const counted = (await ownBackups(folder, owner)).filter((one) => !isFromFuture(one, now));
  for (const { name } of counted.slice(0, -count))
    if (name !== path.basename(written)) await rm(path.join(folder, name), { force: true });
}

/** Before a new one needs the room. */
export async function removeDrafts(folder: string, owner: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(".part") || pattern.exec(name.slice(0, -".part".length))?.at(-1) !== mark(owner)) continue;
    const draft = path.join(folder, name);
    const found = await stat(draft).catch(() => null);
    if (found && Date.now() - found.mtimeMs > leftBehindMs) await rm(draft, { force: true }).catch(() => undefined);
  }
}
