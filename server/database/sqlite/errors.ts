/** SQLite's error codes in the port's words. */
import { DuplicateKeyError, StorageFullError, TransactionConflictError } from "../port.ts";

const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
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
