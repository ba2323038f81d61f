/** Backups in a folder: their names, and how many stay. */
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";

const pattern = /^sopwright-\d{8}T\d{6}Z\.ndjson\.gz$/;
const draftPattern = /^sopwright-\d{8}T\d{6}Z\.ndjson\.gz\.part$/;
/** A draft that no backup has written to for this long was left behind. */
const leftBehindMs = 24 * 3_600_000;

/** @param at ISO 8601 */
export function backupName(at: string): string {
  return `sopwright-${at.slice(0, 19).replaceAll(/[-:]/g, "")}Z.ndjson.gz`;
}

/** A folder gets a file named by the time. */
export async function targetOf(target: string, at: string): Promise<string> {
  const found = await stat(target).catch(() => null);
  return found?.isDirectory() ? path.join(target, backupName(at)) : target;
}

/** Removes the oldest ones. Other files in the folder stay. @returns the names of those that stay */
export async function keepNewest(folder: string, count: number): Promise<string[]> {
  const names = await readdir(folder);
  const backups = names.filter((name) => pattern.test(name)).sort();
  const old = backups.slice(0, -count);
  for (const name of old) await rm(path.join(folder, name), { force: true });
  for (const name of names.filter((one) => draftPattern.test(one))) {
    const draft = path.join(folder, name);
    const found = await stat(draft).catch(() => null);
    if (found && Date.now() - found.mtimeMs > leftBehindMs) await rm(draft, { force: true });
  }
  return backups.slice(-count);
}
