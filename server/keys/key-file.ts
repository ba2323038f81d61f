/**
 * Reads and writes `DATA_DIR/keys`: the keys that the server created, the newest first. Without this file, no value
 * that one of its keys encrypted can be read again.
 */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { AppError } from "#core/errors.ts";
import { ConfigError } from "../config.ts";
import { nonRegularFileFault } from "../data-files.ts";
import { newKey, parseKeys, formatKeys, type AppKey } from "./key-list.ts";
import { refusals } from "./refusals.ts";

export function keyFilePath(dataDir: string): string {
  return path.join(dataDir, "keys");
}

/** Thrown if the key file exists but its keys can't be read. */
export class DamagedKeysError extends Error {
  constructor(file: string, fault: string | null) {
    super(
      `${file}: ${fault === null ? "" : `${fault}, so `}the keys of this installation are damaged. Restore this file from a copy, or from a backup with the keys. ` +
        "The task sop admin restore writes them into an empty DATA_DIR. sop admin backup --without-keys backs up the rest",
    );
    this.name = "DamagedKeysError";
  }
}

/**
 * Reads the keys of a key file. If other users can read the file, makes it private.
 * @returns no keys if the file is missing
 * @throws DamagedKeysError if the file has no readable keys
 */
export function readKeyFile(file: string): AppKey[] {
  const fault = nonRegularFileFault(file);
  if (fault !== null) throw new DamagedKeysError(file, fault);
  let text: string;
  try {
    // an archive or a copy can leave the file open to other users of this machine
    if ((statSync(file).mode & 0o077) !== 0) makeFilePrivate(file);
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const keys = parseKeysOrNull(text, file);
  if (keys !== null && keys.length > 0) return keys;
  throw new DamagedKeysError(file, null);
}

function parseKeysOrNull(text: string, file: string): AppKey[] | null {
  try {
    return parseKeys(text, file);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return null;
  }
}

function makeFilePrivate(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    // reading is enough on a read-only disk, or if another user owns the file
    if (!["EROFS", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/**
 * Creates the key file with a new key, unless the file exists. Two servers that start at once end up with the same key.
 */
export function createKeyFileIfMissing(file: string): void {
  storeKeysUnlessFileExists(file, [newKey()]);
}

/** Creates the key file with these keys, such as those of a backup. An existing file stays as it is. */
export function storeKeysUnlessFileExists(file: string, keys: readonly AppKey[]): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = writeDraft(file, keys);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolderSync(path.dirname(file));
}

/**
 * Creates a key and stores it before the others. Earlier keys stay, so that older values can be decrypted.
 * @throws AppError busy while another process adds a key
 */
export function addFirstKey(file: string): AppKey {
  const lock = `${file}.lock`;
  lockKeyFile(lock);
  try {
    const key = newKey();
    renameSync(writeDraft(file, [key, ...readKeyFile(file)]), file);
    syncFolderSync(path.dirname(file));
    return key;
  } finally {
    rmSync(lock, { force: true });
  }
}

/** The age at which a lock counts as left by a crash, because adding a key takes milliseconds. */
const lockedAtMostMs = 60_000;

/**
 * Takes the lock of the key file. Without the lock, one of two simultaneous writers would overwrite the other's key,
 * and no one could decrypt the values of that key.
 */
function lockKeyFile(lock: string): void {
  const left = statSync(lock, { throwIfNoEntry: false });
  if (left && Date.now() - left.mtimeMs > lockedAtMostMs) rmSync(lock, { force: true });
  try {
    closeSync(openSync(lock, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new AppError("busy", refusals.otherProcess());
  }
}

/** Returns a text that differs after each change of the file; "" if the file is missing. */
export function fileStampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : "";
}

function writeDraft(file: string, keys: readonly AppKey[]): string {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = openSync(draft, "wx", 0o600);
  try {
    writeSync(handle, formatKeys(keys));
    fsyncSync(handle);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  return draft;
}

function syncFolderSync(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
