/**
 * Makes `DATA_DIR` private to the server's user: folders 0700, files 0600. Other users of the machine could otherwise
 * read drafts and restricted SOPs.
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

/** An entry whose mode couldn't be changed, and the reason. */
interface EntryWithOldMode {
  entry: string;
  code: string;
  /** The id of the user who owns the entry, if that is why this program can't use the entry; else null. */
  owner: number | null;
}

/** Entries of the server that the server can't use, because another user owns them. */
export interface ForeignEntries {
  /** The first of the entries, for a message. */
  entries: readonly string[];
  owner: number;
}

/** Matches the names of the server's entries in `DATA_DIR`. Other entries keep their modes. */
const ownNames =
  /^(sopwright\.(db|lock)(\W.*)?|keys(\..*)?|installation|audit-checkpoints\.ndjson|last-backup|clones|fonts|mail|mirrors|pushes|repositories|reserve|restoring|search(-own)?|snapshots)$/;
/** Entries that file systems and desktops create in a folder by themselves. */
const systemNames = new Set(["lost+found", ".DS_Store"]);

export function isOwnEntry(name: string): boolean {
  return ownNames.test(name);
}

/**
 * Makes new files of this process and its children readable only for their user. Call first in programs that open
 * `DATA_DIR`.
 */
export function setPrivateUmask(): void {
  process.umask(othersBits);
}

/**
 * Creates the folder, or makes an existing one private with the server's entries in it. Starts with the folder itself,
 * which closes it to other users at once. A shared folder such as /tmp stays open if it contains files of other
 * programs.
 * @returns the entries that this user can't use; null if this user can use all of them
 */
export async function makeDataFolderPrivate(dir: string, log?: Pick<Logger, "warn">): Promise<ForeignEntries | null> {
  await makePrivateFolder(dir);
  const folder = await realpath(dir);
  const names = await readdir(folder);
  const foreign = names.filter((name) => !isOwnEntry(name) && !systemNames.has(name));
  const { mode } = await lstat(folder);
  const isForAll = foreign.length > 0 && (mode & stickyBit) !== 0;
  const refused: EntryWithOldMode[] = [];
  if (!isForAll) makeEntryPrivate(folder, refused);
  for (const name of names.filter(isOwnEntry)) makeTreePrivate(path.join(folder, name), refused);
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

/** Returns the warning for operators while another user owns entries. @returns null once this user can use them */
export function foreignOwnerWarning(found: ForeignEntries | null): string | null {
  return found?.entries.some((entry) => foreignOwnerOf(entry) !== null) ? `${foreignOwnerMessage(found)} on it` : null;
}

function foreignOwnerMessage({ owner }: ForeignEntries): string {
  const [user, group] = [process.getuid?.(), process.getgid?.()];
  return `part of DATA_DIR belongs to ${owner === 0 ? "root" : `user ${owner}`}: as root, run chown -R ${user}:${group}`;
}

/**
 * Returns the id of the user who owns an entry that this user can't use.
 * @returns null if this user can use the entry
 */
function foreignOwnerOf(entry: string, found = lstatSync(entry, { throwIfNoEntry: false })): number | null {
  if (found === undefined || found.isSymbolicLink() || found.uid === process.getuid?.()) return null;
  const { R_OK, W_OK, X_OK } = constants;
  try {
    // on a file system without owners, the reported owner can be another user although this user can use the entry
    accessSync(entry, found.isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? found.uid : null;
  }
}

/**
 * Creates folders one by one. Node's recursive `mkdir` never ends on a file system that refuses folders, such as /proc.
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
 * Makes a folder and its content private. Synchronous, because promises for thousands of files would take ten times as
 * long.
 */
function makeTreePrivate(entry: string, refused: EntryWithOldMode[]): void {
  if (!makeEntryPrivate(entry, refused)?.isDirectory()) return;
  const names = tryToRestrict(entry, refused, () => readdirSync(entry));
  for (const name of names ?? []) makeTreePrivate(path.join(entry, name), refused);
}

/**
 * Makes an entry private. Only removes permissions, so that a file that git made read-only stays read-only.
 * @returns null if this user can't read the entry
 */
function makeEntryPrivate(entry: string, refused: EntryWithOldMode[]): Stats | null {
  return tryToRestrict(entry, refused, () => {
    const found = lstatSync(entry);
    const owner = foreignOwnerOf(entry, found);
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
 * Does the work, and notes a failure instead of throwing. The entry can belong to another user, its file system can
 * lack modes, and a running program can delete it.
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
