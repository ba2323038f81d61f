/**
 * Allows one server for each data folder, by a lock of the operating system. The lock ends with its process, and also
 * works between containers. `sopwright.lock` names the process with the lock, for operators.
 */
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { TransactionConflictError } from "../port.ts";
import { SqliteConnection } from "./connection.ts";
import { isDatabaseUnreadable } from "./errors.ts";

export class DataFolderInUseError extends Error {
  /** The process with the lock, such as `process 12 on web-1, which listens on http://localhost:3000`. */
  readonly holder: string;
  constructor(folder: string, holder: string) {
    super(`the data folder ${folder} is in use by ${holder}: stop it first, or choose another DATA_DIR`);
    this.name = "DataFolderInUseError";
    this.holder = holder;
  }
}

/**
 * Stores the server's address for tasks that run at the same time.
 * @param folder a folder that this process has locked
 */
export function storeServerAddress(folder: string, url: string): void {
  writeLockFile(join(folder, "sopwright.lock"), { pid: process.pid, host: hostname(), url });
}

/**
 * Reads the address of the server that has locked the folder; null if the server runs on another host or stored no
 * address.
 */
export function readServerAddress(folder: string): string | null {
  try {
    const { host, url } = JSON.parse(readFileSync(join(folder, "sopwright.lock"), "utf8")) as Record<string, unknown>;
    return typeof url === "string" && host === hostname() ? url : null;
  } catch {
    return null;
  }
}

/** Locks the folder. @returns a function that releases the lock @throws DataFolderInUseError */
export function lockFolder(folder: string): () => void {
  const file = join(folder, "sopwright.lock");
  const lock = holdLock(`${file}.db`, () => new DataFolderInUseError(folder, readLockHolder(file)));
  try {
    writeLockFile(file, { pid: process.pid, host: hostname() });
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => {
    rmSync(file, { force: true });
    lock.close();
  };
}

function writeLockFile(file: string, holder: { pid: number; host: string; url?: string }): void {
  const draft = `${file}.new`;
  try {
    writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Takes the lock: an exclusive transaction of SQLite on an empty database, which works on every operating system. */
function holdLock(file: string, inUse: () => Error): SqliteConnection {
  closeSync(openSync(file, "a", 0o600));
  const lock = new SqliteConnection(file, "lock");
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof TransactionConflictError) throw inUse();
    if (!isDatabaseUnreadable(error) || statSync(file).size === 0) throw error;
    // SQLite reads the content only after it got the lock, so no other process uses this damaged file, and it can be
    // emptied
    truncateSync(file);
    return holdLock(file, inUse);
  }
}

function readLockHolder(file: string): string {
  try {
    const { pid, host, url } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    // name the host, because process ids of another container mean nothing here
    const place = typeof host === "string" ? ` on ${host}` : "";
    const address = typeof url === "string" ? `, which listens on ${url}` : "";
    if (typeof pid === "number") return `process ${pid}${place}${address}`;
  } catch {
    // the file is written just after the lock is taken, so it can be missing for a moment
  }
  return "another server";
}
