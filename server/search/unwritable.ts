/** Why the file of an index can't be written. The index is kept in memory then. */
import { StorageFullError } from "../database/port.ts";
import { isDiskFull } from "../database/sqlite/errors.ts";
import { cantBeWritten } from "../file-errors.ts";

/** SQLITE_READONLY, SQLITE_IOERR (a quota that is used up shows there), SQLITE_CANTOPEN, with their extensions. */
const refusals = [8, 10, 14];

/** For errors of writing: SQLite's own ones, those of the file system, and those from the search threads. */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof StorageFullError || isDiskFull(error)) return true;
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  if (typeof errcode === "number") return refusals.includes(errcode & 0xff);
  return cantBeWritten(error);
}
