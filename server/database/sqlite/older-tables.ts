/** Completes data of an earlier version for a backup: collections that it lacks are empty. */
import type { SqliteConnection } from "./connection.ts";
import type { SqliteTable } from "./table.ts";

/** Adds the tables to this connection only, so the file doesn't change. */
export function completeTables(connection: SqliteConnection, tables: Iterable<SqliteTable>): void {
  const names = new Set(connection.all("SELECT name FROM sqlite_schema").map(({ name }) => name));
  // an empty file isn't data of an earlier version
  if (names.size === 0) return;
  for (const { name, sqlName } of tables)
    if (!names.has(name))
      connection.exec(`CREATE TEMP TABLE ${sqlName} (row INTEGER PRIMARY KEY, _id TEXT, doc TEXT, bytes BLOB)`);
}
