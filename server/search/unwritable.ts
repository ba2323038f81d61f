/** Recognizes that an index file can't be written: the disk is full, or this user can't write there. */
import { AppError } from "#core/errors.ts";
import { isDiskFull } from "../database/sqlite/errors.ts";
import { isUnwritableError } from "../file-errors.ts";
import { refusals } from "./refusals.ts";

/** The error for an index that can't be written. It says nothing about the database, which can be on another disk. */
export class UnwritableIndexError extends AppError {
  constructor(cause: unknown) {
    super("storage_full", refusals.unwritable());
    this.cause = cause;
  }
}

/**
 * The codes of SQLITE_READONLY, SQLITE_IOERR (which includes an exceeded quota) and SQLITE_CANTOPEN, with their
 * extensions.
 */
const unwritableCodes = [8, 10, 14];

/** Says whether an error of SQLite, the file system or the search threads means that a file can't be written. */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof UnwritableIndexError || isDiskFull(error)) return true;
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  if (typeof errcode === "number") return unwritableCodes.includes(errcode & 0xff);
  return isUnwritableError(error);
}
