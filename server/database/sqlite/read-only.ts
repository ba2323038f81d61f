/** Opens a database file that this process can't or must not write. */
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { StorageFullError } from "../port.ts";
import { SqliteConnection } from "./connection.ts";
import { openWithSchema } from "./schema-copy.ts";

/**
 * Opens the file for reading. While a server runs, the connection sees every commit. In a read-only folder, no server
 * runs, and after a clean stop there is no write-ahead log, so SQLite can open the file as immutable.
 * @throws DamagedFileError
 */
export function openForReading(file: string): SqliteConnection {
  return openWithSchema(
    file,
    (isShort) =>
      new SqliteConnection(isReadOnlyWithoutLog(file) ? immutableFileUrl(file) : file, isShort ? "rest" : "read"),
  );
}

/**
 * Opens the file for reading, even on a full disk. SQLite then needs exclusive access, because it can't create files
 * next to the database. No server can start while that connection is open.
 */
export function openOnFullDisk(file: string): { connection: SqliteConnection; isAlone: boolean } {
  try {
    return { connection: openForReading(file), isAlone: false };
  } catch (error) {
    if (!(error instanceof StorageFullError)) throw error;
    return { connection: openWithSchema(file, () => new SqliteConnection(file, "alone")), isAlone: true };
  }
}

function isReadOnlyWithoutLog(file: string): boolean {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return false;
  try {
    accessSync(dirname(file), constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

function immutableFileUrl(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return url;
}
