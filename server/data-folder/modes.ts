/**
 * `DATA_DIR` belongs to the server's user alone: folders 0700, files 0600. A group that shares it would read drafts and
 * restricted SOPs past every permission.
 */
import { chmodSync, lstatSync, type Stats } from "node:fs";
import { chmod, lstat, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import type { Logger } from "pino";

const othersBits = 0o077;

/** What the server makes in `DATA_DIR`. Other entries are not touched: `DATA_DIR=/tmp` must not close `/tmp`. */
const ownNames =
  /^(sopwright\.(db|lock)(\W.*)?|keys(\..*)?|installation|audit-checkpoints\.ndjson|repositories|search|mail)$/;
/** What file systems put into a folder that is a disk of its own. */
const systemNames = new Set(["lost+found", ".DS_Store"]);

export function isOwnEntry(name: string): boolean {
  return ownNames.test(name);
}

/** For programs that open `DATA_DIR`, before anything else: what they and their children make is theirs alone. */
export function keepPrivate(): void {
  process.umask(othersBits);
}

/**
 * Makes the folder, or closes one that was open. The folder itself comes first, which ends all access by others at once.
 */
export async function closeDataFolder(dir: string, log?: Pick<Logger, "warn">): Promise<void> {
  await makeFolder(dir);
  const names = await readdir(dir);
  const foreign = names.filter((name) => !isOwnEntry(name) && !systemNames.has(name));
  try {
    if (foreign.length === 0) await closeOne(dir);
    else if (isOpen(await lstat(dir))) log?.warn({ dataDir: dir, foreign: foreign.slice(0, 10) }, shared);
    for (const name of names.filter(isOwnEntry)) await closeTree(path.join(dir, name));
  } catch (error) {
    // another user's folder, or a file system without modes: what is made from now on is private all the same
    if (!["EPERM", "EACCES", "EROFS", "ENOTSUP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    log?.warn({ dataDir: dir, err: error }, "DATA_DIR could not be closed to other users");
  }
}

/** Level by level: Node's recursive `mkdir` never ends where a file system has no room for folders, as in /proc. */
async function makeFolder(dir: string): Promise<void> {
  const parent = path.dirname(dir);
  try {
    await mkdir(dir, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || (await exists(parent))) throw error;
    await makeFolder(parent);
    await mkdir(dir, { mode: 0o700 }).catch(ignoreExisting);
  }
}

const exists = (entry: string) => lstat(entry).then(Boolean, () => false);

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}

const shared = "DATA_DIR holds files of others, so it stays open to them: give the server a folder of its own";

/** A closed folder can hold open files too: an archive or a copy brought them. */
async function closeTree(entry: string): Promise<void> {
  const found = await closeOne(entry);
  if (!found?.isDirectory()) return;
  for (const { name, parentPath } of (await readdir(entry, ofFolder).catch(ignoreGone)) ?? [])
    closeFound(path.join(parentPath, name));
}

const ofFolder = { recursive: true, withFileTypes: true } as const;

/** Without a promise for each of the thousands of files of a repository: a tenth of the time. */
function closeFound(entry: string): void {
  const found = lstatSync(entry, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink() || !isOpen(found)) return;
  try {
    chmodSync(entry, found.mode & 0o700);
  } catch (error) {
    ignoreGone(error);
  }
}

async function closeOne(entry: string): Promise<Stats | null> {
  const found = await lstat(entry).catch(ignoreGone);
  if (found && !found.isSymbolicLink() && isOpen(found)) await chmod(entry, found.mode & 0o700).catch(ignoreGone);
  return found;
}

function isOpen({ mode }: { mode: number }): boolean {
  return (mode & othersBits) !== 0;
}

/** Beside a running program files come and go. */
function ignoreGone(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
  throw error;
}
