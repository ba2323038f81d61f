/**
 * Allows one server for each data folder, by a lock of the operating system. The lock ends with its process and holds
 * between containers too. `sopwright.lock` names the process that has it, for people.
 */
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { TransactionConflictError } from "../port.ts";
import { SqliteConnection } from "./connection.ts";
import { isDatabaseUnreadable } from "./errors.ts";

export class DataFolderInUseError extends Error {
  /** The process that has the lock, such as `process 12 on web-1, which listens on http://localhost:3000`. */
  readonly holder: string;
  constructor(folder: string, holder: string) {
    super(`the data folder ${folder} is in use by ${holder}: stop it first, or choose another DATA_DIR`);
    this.name = "DataFolderInUseError";
    this.holder = holder;
  }
}

/** Stores the server's address for tasks that run beside it. @param folder a folder whose lock this process has */
export function noteAddress(folder: string, url: string): void {
  writeLockFile(join(folder, "sopwright.lock"), { pid: process.pid, host: hostname(), url });
}

/** @returns the address of the server that has the folder's lock; null if it runs on another host or noted none */
export function notedAddress(folder: string): string | null {
  try {
    const { host, url } = JSON.parse(readFileSync(join(folder, "sopwright.lock"), "utf8")) as Record<string, unknown>;
    return typeof url === "string" && host === hostname() ? url : null;
  } catch {
    return null;
  }
}

/** @returns a function that releases the lock @throws DataFolderInUseError */
export function lockFolder(folder: string): () => void {
  const file = join(folder, "sopwright.lock");
  const lock = holdLock(`${file}.db`, () => new DataFolderInUseError(folder, readHolder(file)));
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

/** Takes the lock: an exclusive transaction of SQLite on a database without content works on each system. */
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
    // SQLite reads the content only if the lock is free, so a damaged file can be emptied
    truncateSync(file);
    return holdLock(file, inUse);
  }
}

function readHolder(file: string): string {
  try {
    const { pid, host, url } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    // a process id in another container would mislead without its host
    const place = typeof host === "string" ? ` on ${host}` : "";
    const address = typeof url === "string" ? `, which listens on ${url}` : "";
    if (typeof pid === "number") return `process ${pid}${place}${address}`;
  } catch {
    // the file is written right after the lock is taken, so it can be missing for a moment
  }
  return "another server";
}
