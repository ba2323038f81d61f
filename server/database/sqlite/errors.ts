/** SQLite's error codes in the port's words. */
import { DuplicateKeyError, StorageFullError, TransactionConflictError } from "../port.ts";

const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOTADB = 26;
const CONSTRAINT_UNIQUE = 2067;
/** The code when the shared-memory file of the write-ahead log can't grow, which means a full disk. */
const IOERR_SHMSIZE = 4874;

export function translateErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw translateSqliteError(error);
  }
}

/** True for SQLite's own error of a full disk. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return code === FULL || code === IOERR_SHMSIZE;
}

/** No document of the file can be read, or a start would make its damage worse. */
export class DamagedFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DamagedFileError";
  }
}

/** The error for a damaged list of tables. @param hasCopy true if a start of the server can restore the list */
export function damagedSchema(hasCopy: boolean): DamagedFileError {
  const wayOut = hasCopy
    ? "Start or restart the server: it puts back its copy of the list. If it doesn't start, restore the last backup"
    : "Check DATA_DIR, or restore the last backup";
  return new DamagedFileError(`the list of tables in sopwright.db is damaged, so no document can be found. ${wayOut}`);
}

/** The way out of damage, for starts, checks and tasks. */
export const backUpTheRest = "Back up the rest with `sop admin backup`, and restore that into an empty folder";

const restoreOrBackUp =
  "Restore the last backup. Or back up the rest with `sop admin backup`, and restore that into an empty folder";

export function shortFileError(lacking: number): DamagedFileError {
  return new DamagedFileError(
    `sopwright.db is ${Math.ceil(lacking / 1024)} KB shorter than it was, so documents are lost. ${restoreOrBackUp}`,
  );
}

/** The error for a file in which some pages are older than the pages that point to them. */
export function tornFileError(): DamagedFileError {
  return new DamagedFileError(
    `sopwright.db mixes pages of different times, as a copy of a running server's file does. ${restoreOrBackUp}`,
  );
}

/** True if a page is damaged that all tables depend on. */
export function isDatabaseUnreadable(error: unknown): boolean {
  return isCorrupt(error) || (error as { errcode?: unknown } | null)?.errcode === NOTADB;
}

/** True if a page of the file is damaged. */
export function isCorrupt(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" && (code & 0xff) === CORRUPT;
}

function translateSqliteError(error: unknown): unknown {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (typeof code !== "number") return error;
  if (isDiskFull(error)) return new StorageFullError(error);
  if (code === CONSTRAINT_UNIQUE) return new DuplicateKeyError(violatedIndex((error as Error).message));
  if ((code & 0xff) === BUSY) return new TransactionConflictError();
  return error;
}

/**
 * The index in SQLite's message: "UNIQUE constraint failed: index 'sops/by_number'" → by_number; "… failed: sops._id" →
 * _id_, MongoDB's name for it.
 */
function violatedIndex(message: string): string {
  const name = /index '[^/']*\/([^/']*)/.exec(message)?.[1];
  return name ?? "_id_";
}
