/** SQLite's error codes in the port's words. */
import { DuplicateKeyError, StorageFullError, TransactionConflictError } from "../port.ts";

const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOTADB = 26;
const CONSTRAINT_UNIQUE = 2067;
/** The shared-memory file of the write-ahead log could not grow: how a full disk shows there. */
const IOERR_SHMSIZE = 4874;

export function translateErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw translated(error);
  }
}

/** SQLite's own error, of any database. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return code === FULL || code === IOERR_SHMSIZE;
}

/** No document of the file can be found, or a start would make its damage worse. */
export class DamagedFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DamagedFileError";
  }
}

/** The file's list of tables can't be read. @param hasCopy a start of the server can put it back */
export function damagedSchema(hasCopy: boolean): DamagedFileError {
  const wayOut = hasCopy
    ? "Start or restart the server: it puts back its copy of the list. If it doesn't start, restore the last backup"
    : "Check DATA_DIR, or restore the last backup";
  return new DamagedFileError(`the list of tables in sopwright.db is damaged, so no document can be found. ${wayOut}`);
}

/** The way out of damage, as starts, checks and tasks say it. */
export const backUpTheRest = "Back up the rest with `sop admin backup`, and restore that into an empty folder";

const restoreOrBackUp =
  "Restore the last backup. Or back up the rest with `sop admin backup`, and restore that into an empty folder";

export function shortFile(lacking: number): DamagedFileError {
  return new DamagedFileError(
    `sopwright.db is ${Math.ceil(lacking / 1024)} KB shorter than it was, so documents are lost. ${restoreOrBackUp}`,
  );
}

/** Some pages are older than those that lead to them. */
export function tornFile(): DamagedFileError {
  return new DamagedFileError(
    `sopwright.db mixes pages of different times, as a copy of a running server's file does. ${restoreOrBackUp}`,
  );
}

/** A page that leads to all tables is damaged. */
export function isUnreadable(error: unknown): boolean {
  return isCorrupt(error) || (error as { errcode?: unknown } | null)?.errcode === NOTADB;
}

/** A page of the file is damaged. */
export function isCorrupt(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" && (code & 0xff) === CORRUPT;
}

function translated(error: unknown): unknown {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (typeof code !== "number") return error;
  if (isDiskFull(error)) return new StorageFullError(error);
  if (code === CONSTRAINT_UNIQUE) return new DuplicateKeyError(violatedIndex((error as Error).message));
  if ((code & 0xff) === BUSY) return new TransactionConflictError();
  return error;
}

/** "UNIQUE constraint failed: index 'sops/by_number'" → by_number; "… failed: sops._id" → _id_, MongoDB's name for it. */
function violatedIndex(message: string): string {
  const name = /index '[^/']*\/([^/']*)/.exec(message)?.[1];
  return name ?? "_id_";
}
