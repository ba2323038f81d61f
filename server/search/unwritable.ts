/** The error for an index whose file can't be written: the disk is full, or this user can't write there. */
import { AppError } from "#core/errors.ts";
import { isDiskFull } from "../database/sqlite/errors.ts";
import { isWriteDenied } from "../file-errors.ts";
import { refusals } from "./refusals.ts";

/** The database can be on another disk, so this error isn't about the database. */
export class UnwritableIndexError extends AppError {
  constructor(cause: unknown) {
    super("storage_full", refusals.unwritable());
    this.cause = cause;
  }
}

/** SQLITE_READONLY, SQLITE_IOERR (which includes an exceeded quota), SQLITE_CANTOPEN, with their extensions. */
const unwritableCodes = [8, 10, 14];

/** True for errors of writing: SQLite's own, those of the file system, and those from the search threads. */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof UnwritableIndexError || isDiskFull(error)) return true;
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  if (typeof errcode === "number") return unwritableCodes.includes(errcode & 0xff);
  return isWriteDenied(error);
}
