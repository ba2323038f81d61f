/**
 * Makes `DATA_DIR` private to the server's user: folders 0700, files 0600. A group with access would read drafts and
 * restricted SOPs past every permission.
 */
import { accessSync, chmodSync, constants, lstatSync, readdirSync, type Stats } from "node:fs";
import { lstat, mkdir, readdir, realpath } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import type { Logger } from "pino";

const othersBits = 0o077;
const folderBits = 0o700;
const fileBits = 0o600;
const stickyBit = 0o1000;
const allBits = 0o7777;
const shownAtMost = 10;

/** An entry whose modes couldn't be changed, and the reason. */
interface EntryWithOldMode {
  entry: string;
  code: string;
  /** The id of the user who owns the entry, if this program can't use it for that reason; else null. */
  owner: number | null;
}

/** Entries of the server that another user owns, so that it can't use them. */
export interface OfOthers {
  /** The first entries only. */
  entries: readonly string[];
  owner: number;
}

/** The server's own entries in `DATA_DIR`. Other entries keep their modes. */
const ownNames =
  /^(sopwright\.(db|lock)(\W.*)?|keys(\..*)?|installation|audit-checkpoints\.ndjson|last-backup|clones|fonts|mail|mirrors|pushes|repositories|reserve|restoring|search(-own)?|snapshots)$/;
/** Entries that file systems and desktops create in a folder. */
const systemNames = new Set(["lost+found", ".DS_Store"]);

export function isOwnEntry(name: string): boolean {
  return ownNames.test(name);
}

/**
 * Call first in programs that open `DATA_DIR`, so that only their user can read the files that they and their children
 * create.
 */
export function setPrivateUmask(): void {
  process.umask(othersBits);
}

/**
 * Creates the folder, or makes an existing one private. Starts with the folder itself, which ends all access by others
 * at once. Only a folder open to all users, such as /tmp, stays open if it contains other files.
 * @returns the entries that this user can't use; null if it can use all of them
 */
export async function closeDataFolder(dir: string, log?: Pick<Logger, "warn">): Promise<OfOthers | null> {
  await makePrivateFolder(dir);
  const folder = await realpath(dir);
  const names = await readdir(folder);
  const foreign = names.filter((name) => !isOwnEntry(name) && !systemNames.has(name));
  const { mode } = await lstat(folder);
  const isForAll = foreign.length > 0 && (mode & stickyBit) !== 0;
  const refused: EntryWithOldMode[] = [];
  if (!isForAll) closeEntry(folder, refused);
  for (const name of names.filter(isOwnEntry)) closeTree(path.join(folder, name), refused);
  const shown = { dataDir: dir, foreign: foreign.slice(0, shownAtMost) };
  if (isForAll)
    log?.warn(shown, "DATA_DIR is a folder for all users and stays open: give the server a folder of its own");
  else if (foreign.length > 0 && isAccessibleToOthers(mode, folderBits))
    log?.warn(shown, "DATA_DIR was closed to other users, but it holds files that are not the server's");
  const shownOf = (all: readonly EntryWithOldMode[]) => ({
    dataDir: dir,
    code: all[0]?.code,
    failed: all.length,
    entries: all.slice(0, shownAtMost).map((one) => path.relative(folder, one.entry) || "."),
  });
  const asTheyAre = refused.filter(({ owner }) => owner === null);
  if (asTheyAre.length > 0)
    log?.warn(
      shownOf(asTheyAre),
      "part of DATA_DIR could not be closed to other users: another user owns it, or its file system refuses modes",
    );
  const others = refused.filter(({ owner }) => owner !== null);
  const [first] = others;
  if (first === undefined) return null;
  const ofOthers = { entries: others.slice(0, shownAtMost).map(({ entry }) => entry), owner: first.owner ?? 0 };
  log?.warn(shownOf(others), `${foreignOwnerMessage(ofOthers)} ${folder}`);
  return ofOthers;
}

/** @returns the warning for operators while this user can't use the entries; null once it can */
export function foreignOwnerWarning(found: OfOthers | null): string | null {
  return found?.entries.some((entry) => otherOwner(entry) !== null) ? `${foreignOwnerMessage(found)} on it` : null;
}

function foreignOwnerMessage({ owner }: OfOthers): string {
  const [user, group] = [process.getuid?.(), process.getgid?.()];
  return `part of DATA_DIR belongs to ${owner === 0 ? "root" : `user ${owner}`}: as root, run chown -R ${user}:${group}`;
}

/** @returns the owner of an entry that this user can't use; null if it can */
function otherOwner(entry: string, found = lstatSync(entry, { throwIfNoEntry: false })): number | null {
  if (found === undefined || found.isSymbolicLink() || found.uid === process.getuid?.()) return null;
  const { R_OK, W_OK, X_OK } = constants;
  try {
    // on a file system without owners, the reported owner can be another user although the entry is usable
    accessSync(entry, found.isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? found.uid : null;
  }
}

/**
 * Creates folders level by level: Node's recursive `mkdir` never ends if a file system can't have folders, as in /proc.
 */
async function makePrivateFolder(dir: string): Promise<void> {
  const parent = path.dirname(dir);
  try {
    await mkdir(dir, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || (await isThereOnDisk(parent))) throw error;
    await makePrivateFolder(parent);
    await mkdir(dir, { mode: 0o700 }).catch(ignoreExisting);
  }
}

const isThereOnDisk = (entry: string) => lstat(entry).then(Boolean, () => false);

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}

/**
 * Makes a tree private. Synchronous, because a promise for each of a repository's thousands of files takes ten times as
 * long.
 */
function closeTree(entry: string, refused: EntryWithOldMode[]): void {
  if (!closeEntry(entry, refused)?.isDirectory()) return;
  const names = tryToRestrict(entry, refused, () => readdirSync(entry));
  for (const name of names ?? []) closeTree(path.join(entry, name), refused);
}

/** Only removes modes, so that a file that git made read-only stays read-only. */
function closeEntry(entry: string, refused: EntryWithOldMode[]): Stats | null {
  return tryToRestrict(entry, refused, () => {
    const found = lstatSync(entry);
    const owner = otherOwner(entry, found);
    if (owner !== null) {
      refused.push({ entry, code: "EACCES", owner });
      return isFolderReadable(entry) ? found : null;
    }
    const allowed = found.isDirectory() ? folderBits : fileBits;
    if (!found.isSymbolicLink() && isAccessibleToOthers(found.mode, allowed)) chmodSync(entry, found.mode & allowed);
    return found;
  });
}

function isFolderReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isAccessibleToOthers(mode: number, allowed: number): boolean {
  return (mode & allBits & ~allowed) !== 0;
}

/**
 * Does the work, but continues after a failure: an entry of another user, or a file system without modes. New files of
 * the server are private in any case. A file can also disappear beside a running program.
 */
function tryToRestrict<T>(entry: string, refused: EntryWithOldMode[], work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "ENOENT") return null;
    if (!["EPERM", "EACCES", "EROFS", "ENOTSUP"].includes(code)) throw error;
    refused.push({ entry, code, owner: null });
    return null;
  }
}
