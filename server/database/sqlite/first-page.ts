/**
 * Checks and repairs the file's first page. It has the number of the database's pages, and SQLite assigns new pages
 * above that number. If it is too low, two tables share a page, and each write makes the damage worse.
 * https://sqlite.org/fileformat.html
 */
import { closeSync, fsyncSync, openSync, readSync, statSync, writeSync } from "node:fs";
import type { SqliteConnection } from "./connection.ts";
import { damagedSchemaError, isDatabaseUnreadable, shortFileError, tornFileError } from "./errors.ts";
import { pageSize, readWriteAheadLog, type WalPages } from "./log-end.ts";

const headerSize = 100;
const changeAt = 24;
const countAt = 28;
/**
 * The offset of the change number for which the page count is valid. SQLite ignores the count if another change came
 * later.
 */
const countedAt = 92;
const linesAtMost = 1_000_000;

/** Writes the first page of a database without tables. All other pages become unused. */
export function writeFirstPage(file: string, version: number): void {
  const page = Buffer.alloc(pageSize);
  page.write("SQLite format 3\0");
  page.writeUInt16BE(pageSize, 16);
  // the formats for a write-ahead log, then the fixed payload fractions
  page.set([2, 2, 0, 64, 32, 32], 18);
  page.writeUInt32BE(1, changeAt);
  page.writeUInt32BE(pagesByFileSize(file), countAt);
  page.writeUInt32BE(version, 40);
  // the schema format, then the encoding UTF-8
  page.writeUInt32BE(4, 44);
  page.writeUInt32BE(1, 56);
  page.writeUInt32BE(1, countedAt);
  // an empty leaf page of a table, whose content starts at the end of the page
  page[headerSize] = 0x0d;
  page.writeUInt16BE(pageSize, 105);
  writeBytesAt(file, page, 0);
}

export function readPage(file: string, number: number): Buffer {
  return readBytesAt(file, pageSize, (number - 1) * pageSize);
}

/**
 * Says whether the header has the values that this engine writes. SQLite accepts other values, but would then read each
 * page in another format.
 * @returns true for a new file too
 */
export function isOwnHeader(file: string, { places }: Pick<WalPages, "places"> = readWriteAheadLog(file)): boolean {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return true;
  const place = places.get(1);
  return isSqliteHeader(
    place === undefined ? readBytesAt(file, headerSize, 0) : readBytesAt(`${file}-wal`, headerSize, place),
  );
}

function isSqliteHeader(header: Buffer): boolean {
  return (
    header.toString("latin1", 0, 16) === "SQLite format 3\0" &&
    header.readUInt16BE(16) === pageSize &&
    [1, 2].includes(header.readUInt8(18)) &&
    [1, 2].includes(header.readUInt8(19)) &&
    header.subarray(20, 24).equals(Buffer.from([0, 64, 32, 32])) &&
    // both values are 0 until the first table is created
    ["4,1", "0,0"].includes(`${header.readUInt32BE(44)},${header.readUInt32BE(56)}`) &&
    // auto-vacuum is off: with it, the file would need special pages
    header.readUInt32BE(52) === 0 &&
    header.readUInt32BE(64) === 0
  );
}

/**
 * Counts the bytes of the database that neither the file nor its write-ahead log has.
 * @param log must be read first: while a server runs, the file can become longer but never shorter
 */
export function countMissingBytes(file: string, log: WalPages = readWriteAheadLog(file)): number {
  const count = pageCountInHeader(file);
  const { size } = statSync(file);
  if (log.pages === null) return Math.max(0, (count ?? 0) * pageSize - size);
  let lacking = 0;
  const expected = Math.min(count ?? log.pages, log.pages);
  for (let page = Math.floor(size / pageSize) + 1; page <= expected; page += 1) if (!log.places.has(page)) lacking += 1;
  return lacking * pageSize;
}

/**
 * Finds out whether the file lacks pages, even while a server runs.
 * @returns a list with the line of the check; empty if no page is missing
 */
export function findMissingPages(file: string): string[] {
  // measure twice, because the server can move its log into the file in between
  const lacking = countMissingBytes(file) && countMissingBytes(file);
  return lacking > 0 ? [shortFileError(lacking).message] : [];
}

/** Says whether the first page has the right number of pages. */
export function hasRightPageCount(file: string, { pages }: WalPages): boolean {
  return pages !== null || (pageCountInHeader(file) ?? 0) === pagesByFileSize(file);
}

/**
 * Corrects the page count in the first page.
 * @throws DamagedFileError when tables refer to pages that the file lacks
 */
export function rewritePageCount(file: string, connection: SqliteConnection): void {
  const change = readBytesAt(file, 4, changeAt);
  // until the check is done, mark the count as invalid, so that SQLite ignores it
  writeBytesAt(file, Buffer.from(change.map((byte) => byte ^ 0xff)), countedAt);
  connection.open("read");
  const named = lastNamedPage(connection);
  connection.close();
  const count = Buffer.alloc(4);
  count.writeUInt32BE(Math.max(named, pagesByFileSize(file)));
  writeBytesAt(file, count, countAt);
  writeBytesAt(file, change, countedAt);
  const lacking = countMissingBytes(file);
  if (lacking > 0) throw shortFileError(lacking);
}

/**
 * Checks the pages of restored tables.
 * @throws DamagedFileError when the tables refer to pages that the file lacks, or share a page
 */
export function assertOwnPages(file: string, connection: SqliteConnection): void {
  if (lastNamedPage(connection) > pagesByFileSize(file)) throw damagedSchemaError(false);
}

/**
 * Returns the largest page number beyond the file's end that a table refers to; 0 if there is none.
 * @throws DamagedFileError when tables share pages
 */
function lastNamedPage(connection: SqliteConnection): number {
  const lines: string[] = [];
  try {
    const check = connection.database.prepare(`PRAGMA quick_check(${linesAtMost})`);
    for (const row of check.iterate()) lines.push(...String(row["quick_check"]).split("\n"));
  } catch (error) {
    // SQLite checks all pages first and then the rows, so an unreadable row comes after the needed lines
    if (!isDatabaseUnreadable(error)) throw error;
  }
  if (lines.some((line) => line.includes("2nd reference to page"))) throw tornFileError();
  return lines.reduce((most, line) => Math.max(most, Number(/invalid page number (\d+)/.exec(line)?.[1] ?? 0)), 0);
}

/** Reads the page count in the first page. @returns null if it isn't valid: SQLite then uses the file's size */
function pageCountInHeader(file: string): number | null {
  const header = readBytesAt(file, headerSize, 0);
  const count = header.readUInt32BE(countAt);
  const isOfLastChange = header.readUInt32BE(changeAt) === header.readUInt32BE(countedAt);
  return isSqliteHeader(header) && isOfLastChange && count > 0 ? count : null;
}

const pagesByFileSize = (file: string) => Math.floor(statSync(file).size / pageSize);

function readBytesAt(file: string, length: number, at: number): Buffer {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, "r");
  readSync(descriptor, bytes, 0, length, at);
  closeSync(descriptor);
  return bytes;
}

export function writeBytesAt(file: string, bytes: Buffer, at: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, at);
  fsyncSync(descriptor);
  closeSync(descriptor);
}
