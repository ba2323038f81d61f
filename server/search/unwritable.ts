/** Why the file of an index can't be written. The index is kept in memory then. */
import { StorageFullError } from "../database/port.ts";
import { isDiskFull } from "../database/sqlite/errors.ts";

/** SQLITE_READONLY, SQLITE_IOERR (a quota that is used up shows there), SQLITE_CANTOPEN, with their extensions. */
const refusals = [8, 10, 14];
const codes = ["ENOSPC", "EDQUOT", "EROFS"];

/** For errors of writing: SQLite's own ones, those of the file system, and those from the search threads. */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof StorageFullError || isDiskFull(error)) return true;
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number") return refusals.includes(errcode & 0xff);
  return typeof code === "string" && codes.includes(code);
}
