/**
 * A copy of the database's list of tables and indexes, beside the file. Without that list no table can be found, so one
 * damaged page would cost all of them. The list changes with declarations and repairs alone. The copy follows each
 * change, and a start puts it back.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { faultOfFile } from "../../data-folder/files.ts";
import { sha256 } from "../../hashing.ts";
import type { Connection } from "./connection.ts";
import { DamagedSchemaError, isUnreadable } from "./errors.ts";
import { editSchema } from "./schema.ts";

/** An entry of `sqlite_schema`. */
interface Entry {
  type: string;
  name: string;
  tbl_name: string;
  rootpage: number;
  sql: string | null;
}

interface Schema {
  /** SQLite counts the changes. */
  version: number;
  entries: readonly Entry[];
}

const pageSize = 4096;
const copyOf = (file: string) => `${file}-schema`;
/** There while a start puts the copy back: the database then has some of its tables, or none. */
const restoringOf = (file: string) => `${file}-restoring`;

/** Call after each change of tables or indexes. @param connection outside a transaction */
export function keepSchema(file: string, connection: Connection): void {
  const schema = schemaOf(connection);
  if (JSON.stringify(readCopy(copyOf(file))) === JSON.stringify(schema)) return;
  try {
    writeCopy(copyOf(file), schema);
  } catch {
    // An outdated copy is worse than none, and the next start writes a new one
    if (faultOfFile(copyOf(file)) === null) rmSync(copyOf(file), { force: true });
  }
}

/** For what only reads. @throws DamagedSchemaError */
export function withSchema(file: string, open: () => Connection): Connection {
  const copy = readCopy(copyOf(file));
  let connection: Connection | null = null;
  try {
    connection = open();
    if (!existsSync(restoringOf(file)) && !lacksEntries(connection, copy)) return connection;
  } catch (error) {
    if (!isUnreadable(error)) {
      connection?.close();
      throw error;
    }
  }
  connection?.close();
  throw new DamagedSchemaError(copy !== null);
}

/**
 * Opens the database. Keeps what it replaces of the file in `sopwright.db-damaged-<time>`.
 * @param connection closed, with the folder's lock @returns whether it put the copy back @throws DamagedSchemaError
 */
export function openRestored(file: string, connection: Connection): boolean {
  const begun = existsSync(restoringOf(file));
  const copy = readCopy(begun ? restoringOf(file) : copyOf(file));
  try {
    connection.open("write");
    if (!begun && !lacksEntries(connection, copy)) return false;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  // SQLite moves the write-ahead log into the file, as far as it can read it
  connection.close();
  if (copy === null || !(begun || fits(file, copy))) throw new DamagedSchemaError(false);
  if (!begun) writeCopy(restoringOf(file), copy, readPage(file, 1).toString("base64"));
  writeFirstPage(file, copy.version);
  connection.open("write");
  editSchema(
    connection,
    () => {
      for (const { type, name, tbl_name, rootpage, sql } of copy.entries)
        connection.run("INSERT INTO sqlite_schema VALUES (?,?,?,?,?)", type, name, tbl_name, rootpage, sql);
    },
    // fails where SQLite can't use them
    () => connection.get("SELECT 1 FROM sqlite_schema"),
  );
  renameSync(restoringOf(file), `${file}-damaged-${new Date().toISOString().replaceAll(":", "-")}`);
  return true;
}

/** A leaf of the list was emptied: the list wasn't changed since, and there is less in it. */
function lacksEntries(connection: Connection, copy: Schema | null): boolean {
  const { version, entries } = schemaOf(connection);
  if (copy === null || version !== copy.version || entries.length >= copy.entries.length) return false;
  // the file of another installation has other entries
  const known = new Set(copy.entries.map((entry) => JSON.stringify(entry)));
  return entries.every((entry) => known.has(JSON.stringify(entry)));
}

function schemaOf(connection: Connection): Schema {
  // SQLite wants each table before its indexes
  const entries = connection.all("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid");
  return {
    version: connection.get("PRAGMA schema_version")?.["schema_version"] as number,
    entries: entries as unknown as Entry[],
  };
}

/** Most tables and indexes begin where the copy says, so it is of this file. */
function fits(file: string, { entries }: Schema): boolean {
  const right = entries.filter(({ type, rootpage, sql }) => {
    const isTable = type === "table" && !sql?.endsWith("WITHOUT ROWID");
    const first = readPage(file, rootpage)[0];
    return isTable ? first === 0x0d || first === 0x05 : first === 0x0a || first === 0x02;
  });
  return right.length * 2 > entries.length;
}

function readPage(file: string, number: number): Buffer {
  const page = Buffer.alloc(pageSize);
  const descriptor = openSync(file, "r");
  readSync(descriptor, page, 0, pageSize, (number - 1) * pageSize);
  closeSync(descriptor);
  return page;
}

/** Of a database without tables. Pages that nothing leads to stay unused. https://sqlite.org/fileformat.html */
function writeFirstPage(file: string, version: number): void {
  const page = Buffer.alloc(pageSize);
  page.write("SQLite format 3\0");
  page.writeUInt16BE(pageSize, 16);
  // both formats: with a write-ahead log; then the fixed fractions of payload
  page.set([2, 2, 0, 64, 32, 32], 18);
  page.writeUInt32BE(1, 24);
  page.writeUInt32BE(Math.floor(statSync(file).size / pageSize), 28);
  page.writeUInt32BE(version, 40);
  // the format of the schema, and UTF-8
  page.writeUInt32BE(4, 44);
  page.writeUInt32BE(1, 56);
  // the page count is of the change that byte 24 names
  page.writeUInt32BE(1, 92);
  // an empty leaf of a table, whose content begins at the page's end
  page[100] = 0x0d;
  page.writeUInt16BE(pageSize, 105);
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, page, 0, pageSize, 0);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** @param replaced the page that the copy replaces */
function writeCopy(path: string, schema: Schema, replaced?: string): void {
  const draft = `${path}.new`;
  const content = { sha256: sha256(JSON.stringify(schema)), schema, replaced };
  try {
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600, flush: true });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** @returns null when it is missing or damaged */
function readCopy(path: string): Schema | null {
  if (faultOfFile(path) !== null) return null;
  try {
    const { schema, sha256: expected } = JSON.parse(readFileSync(path, "utf8")) as { schema: Schema; sha256: string };
    return sha256(JSON.stringify(schema)) === expected ? schema : null;
  } catch {
    return null;
  }
}
