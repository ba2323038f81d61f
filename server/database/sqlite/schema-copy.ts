/**
 * Keeps a copy of the database's list of tables and indexes in a file next to the database. Without that list no table
 * can be found, so one damaged page would lose all of them. The copy follows each change of the list, and a start of
 * the server restores a damaged list from it.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { nonRegularFileFault } from "../../data-files.ts";
import { sha256 } from "../../hashing.ts";
import { SqliteConnection } from "./connection.ts";
import { damagedSchemaError, isDatabaseUnreadable, shortFileError } from "./errors.ts";
import {
  assertOwnPages,
  rewritePageCount,
  hasRightPageCount,
  isOwnHeader,
  countMissingBytes,
  readPage,
  writeBytesAt,
  writeFirstPage,
} from "./first-page.ts";
import type { WalPages } from "./log-end.ts";
import { editSchema } from "./schema.ts";

interface SqliteSchemaEntry {
  type: string;
  name: string;
  tbl_name: string;
  rootpage: number;
  sql: string | null;
}

interface Schema {
  /** SQLite's number of changes to the schema. */
  version: number;
  entries: readonly SqliteSchemaEntry[];
}

const schemaCopyFile = (file: string) => `${file}-schema`;
/**
 * Returns the path of the file that exists while the server, at its start, restores the database's list of tables and
 * indexes. Until the list is restored, the database lacks some or all of its tables.
 */
const restoreMarkerFile = (file: string) => `${file}-restoring`;

/** Updates the copy. Call after each change of tables or indexes. @param connection without an open transaction */
export function updateSchemaCopy(file: string, connection: SqliteConnection): void {
  const schema = readSqliteSchema(connection);
  if (JSON.stringify(readSchemaCopy(schemaCopyFile(file))) === JSON.stringify(schema)) return;
  try {
    writeSchemaCopy(schemaCopyFile(file), schema);
  } catch {
    // remove an outdated copy, because it is worse than none; the next start of the server writes a new one
    if (nonRegularFileFault(schemaCopyFile(file)) === null) rmSync(schemaCopyFile(file), { force: true });
  }
}

/** Opens the database for reading only, even if the file has lost its end. @throws DamagedFileError */
export function openWithSchema(file: string, open: (isShort: boolean) => SqliteConnection): SqliteConnection {
  const copy = readSchemaCopy(schemaCopyFile(file));
  const isWhole = (connection: SqliteConnection) =>
    !existsSync(restoreMarkerFile(file)) && !isAltered(connection, copy);
  const isOwn = isOwnHeader(file, { places: new Map() }) || isOwnHeader(file);
  for (const isShort of isOwn ? [false, true] : []) {
    if (isShort && countMissingBytes(file) === 0) break;
    let connection: SqliteConnection | null = null;
    try {
      connection = open(isShort);
      if (isWhole(connection)) return connection;
    } catch (error) {
      if (!isDatabaseUnreadable(error)) {
        connection?.close();
        throw error;
      }
    }
    connection?.close();
  }
  throw damagedSchemaError(copy !== null);
}

/**
 * Opens the database, and restores a damaged list of tables. Keeps the replaced page in `sopwright.db-damaged-<time>`.
 * @param connection closed, while this process has the folder's lock
 * @param tables the tables that a copy must have
 * @returns whether the list was restored from the copy
 * @throws DamagedFileError
 */
export function openAndRestoreSchema(
  file: string,
  connection: SqliteConnection,
  { log, tables }: { log: WalPages; tables: Iterable<string> },
): boolean {
  const begun = existsSync(restoreMarkerFile(file));
  const copy = readSchemaCopy(begun ? restoreMarkerFile(file) : schemaCopyFile(file));
  const lacking = begun ? 0 : countMissingBytes(file, log);
  if (lacking > 0 && !(log.pages !== null && passesQuickCheck(file))) throw shortFileError(lacking);
  try {
    connection.open("write");
    if (!begun && isOwnHeader(file, log) && !isAltered(connection, copy)) {
      if (hasRightPageCount(file, log)) return false;
      connection.close();
      rewritePageCount(file, connection);
      connection.open("write");
      return false;
    }
  } catch (error) {
    if (!isDatabaseUnreadable(error) && isOwnHeader(file, log)) throw error;
  }
  // when the connection closes, SQLite moves the readable part of the write-ahead log into the file
  connection.close();
  const isComplete = (one: Schema) => [...tables].every((name) => one.entries.some((entry) => entry.name === name));
  if (copy === null || !isComplete(copy) || !(begun || fitsDatabaseFile(file, copy))) throw damagedSchemaError(false);
  if (!begun) writeSchemaCopy(restoreMarkerFile(file), copy, readPage(file, 1).toString("base64"));
  writeFirstPage(file, copy.version);
  connection.open("write");
  try {
    editSchema(
      connection,
      () => {
        for (const { type, name, tbl_name, rootpage, sql } of copy.entries)
          connection.run("INSERT INTO sqlite_schema VALUES (?,?,?,?,?)", type, name, tbl_name, rootpage, sql);
      },
      // this check fails if SQLite can't use the restored entries
      () => assertOwnPages(file, connection),
    );
  } catch (error) {
    connection.close();
    restoreReplacedPage(file);
    throw isDatabaseUnreadable(error) ? damagedSchemaError(false) : error;
  }
  renameSync(restoreMarkerFile(file), `${file}-damaged-${new Date().toISOString().replaceAll(":", "-")}`);
  return true;
}

/**
 * Says whether the tables need none of the pages that the file lacks at its end. Those pages may still be in the log.
 */
function passesQuickCheck(file: string): boolean {
  const connection = new SqliteConnection(file, "read");
  try {
    return connection.get("PRAGMA quick_check(1)")?.["quick_check"] === "ok";
  } catch (error) {
    if (!isDatabaseUnreadable(error)) throw error;
    return false;
  } finally {
    connection.close();
  }
}

/** Writes back the page that the copy replaced. */
function restoreReplacedPage(file: string): void {
  const { replaced } = JSON.parse(readFileSync(restoreMarkerFile(file), "utf8")) as { replaced: string };
  writeBytesAt(file, Buffer.from(replaced, "base64"), 0);
  rmSync(restoreMarkerFile(file));
}

/** Says whether entries of the list were changed or lost without a change counted by SQLite, which means damage. */
function isAltered(connection: SqliteConnection, copy: Schema | null): boolean {
  const { version, entries } = readSqliteSchema(connection);
  if (copy === null || version !== copy.version) return false;
  const stored = new Set(entries.map((entry) => JSON.stringify(entry)));
  const kept = copy.entries.filter((entry) => stored.has(JSON.stringify(entry))).length;
  // if most entries differ, the copy belongs to another installation
  return kept < copy.entries.length && kept * 2 >= entries.length;
}

function readSqliteSchema(connection: SqliteConnection): Schema {
  // in the order of creation, because SQLite needs each table before its indexes
  const entries = connection.all("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY rowid");
  return {
    version: connection.get("PRAGMA schema_version")?.["schema_version"] as number,
    entries: entries as unknown as SqliteSchemaEntry[],
  };
}

/** Says whether the copy belongs to this file: most tables and indexes begin on the pages that it names. */
function fitsDatabaseFile(file: string, { entries }: Schema): boolean {
  const right = entries.filter(({ type, rootpage, sql }) => {
    const isTable = type === "table" && !sql?.endsWith("WITHOUT ROWID");
    const first = readPage(file, rootpage)[0];
    return isTable ? first === 0x0d || first === 0x05 : first === 0x0a || first === 0x02;
  });
  return right.length * 2 > entries.length;
}

/** Writes the copy. @param replaced the page that the copy replaces, as base64 */
function writeSchemaCopy(path: string, schema: Schema, replaced?: string): void {
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

/** Reads the copy. @returns null when the copy is missing or damaged */
function readSchemaCopy(path: string): Schema | null {
  if (nonRegularFileFault(path) !== null) return null;
  try {
    const { schema, sha256: expected } = JSON.parse(readFileSync(path, "utf8")) as { schema: Schema; sha256: string };
    return sha256(JSON.stringify(schema)) === expected ? schema : null;
  } catch {
    return null;
  }
}
