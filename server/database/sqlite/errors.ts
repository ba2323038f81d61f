/** Translates SQLite's errors to errors of the storage port. */
import { DuplicateKeyError, StorageFullError, TransactionConflictError } from "../port.ts";

const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOTADB = 26;
const CONSTRAINT_UNIQUE = 2067;
/** The error code if the shared-memory file of the write-ahead log can't grow, because the disk is full. */
const IOERR_SHMSIZE = 4874;

export function translateErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw translateSqliteError(error);
  }
}

/** Says whether this is SQLite's error for a full disk. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return code === FULL || code === IOERR_SHMSIZE;
}

/** No document of the file can be read, or a start of the server would make the damage worse. */
export class DamagedFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DamagedFileError";
  }
}

/** Creates the error for a damaged list of tables. @param hasCopy true if a start of the server can restore the list */
export function damagedSchemaError(hasCopy: boolean): DamagedFileError {
  const wayOut = hasCopy
    ? "Start or restart the server: it puts back its copy of the list. If it doesn't start, restore the last backup"
    : "Check DATA_DIR, or restore the last backup";
  return new DamagedFileError(`the list of tables in sopwright.db is damaged, so no document can be found. ${wayOut}`);
}

/** The advice for a damaged database, for starts, checks and tasks. */
export const backUpTheRest = "Back up the rest with `sop admin backup`, and restore that into an empty folder";

const restoreOrBackUp =
  "Restore the last backup. Or back up the rest with `sop admin backup`, and restore that into an empty folder";

export function shortFileError(lacking: number): DamagedFileError {
  return new DamagedFileError(
    `sopwright.db is ${Math.ceil(lacking / 1024)} KB shorter than it was, so documents are lost. ${restoreOrBackUp}`,
  );
}

/** Creates the error for a file in which some pages are older than the pages that refer to them. */
export function tornFileError(): DamagedFileError {
  return new DamagedFileError(
    `sopwright.db mixes pages of different times, as a copy of a running server's file does. ${restoreOrBackUp}`,
  );
}

/** Says whether the error means that a page which all tables need is damaged. */
export function isDatabaseUnreadable(error: unknown): boolean {
  return isCorrupt(error) || (error as { errcode?: unknown } | null)?.errcode === NOTADB;
}

/** Says whether the error means that a page of the file is damaged. */
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
 * Finds the index in SQLite's message: "UNIQUE constraint failed: index 'sops/by_number'" → by_number; "… failed:
 * sops._id" → `_id_`, which is MongoDB's name for it.
 */
function violatedIndex(message: string): string {
  const name = /index '[^/']*\/([^/']*)/.exec(message)?.[1];
  return name ?? "_id_";
}
