/** Adds empty tables for collections that data of an earlier version lacks, for a backup. */
import type { SqliteConnection } from "./connection.ts";
import type { SqliteTable } from "./table.ts";

/**
 * Adds the missing tables as empty temporary ones, so that the file doesn't change. Adds none to a file without any
 * table.
 */
export function addMissingTables(connection: SqliteConnection, tables: Iterable<SqliteTable>): void {
  const names = new Set(connection.all("SELECT name FROM sqlite_schema").map(({ name }) => name));
  // a file without any table is empty, and not data of an earlier version
  if (names.size === 0) return;
  for (const { name, sqlName } of tables)
    if (!names.has(name))
      connection.exec(`CREATE TEMP TABLE ${sqlName} (row INTEGER PRIMARY KEY, _id TEXT, doc TEXT, bytes BLOB)`);
}
