/** Data of an earlier version, for a backup: collections that it doesn't have yet are empty. */
import type { Connection } from "./connection.ts";
import type { Table } from "./table.ts";

/** For this connection alone: the file stays as it is. */
export function completeTables(connection: Connection, tables: Iterable<Table>): void {
  const names = new Set(connection.all("SELECT name FROM sqlite_schema").map(({ name }) => name));
  // an empty file is no older one
  if (names.size === 0) return;
  for (const { name, sqlName } of tables)
    if (!names.has(name))
      connection.exec(`CREATE TEMP TABLE ${sqlName} (row INTEGER PRIMARY KEY, _id TEXT, doc TEXT, bytes BLOB)`);
}
