/** One moment of the database: a transaction that reads, on a connection of its own. */
import type { Connection } from "./connection.ts";
import { openForReading } from "./read-only.ts";
import { RestOfTables } from "./rest-of-tables.ts";
import type { Session } from "./session.ts";

/**
 * The write-ahead log keeps what others commit until `read` ends. SQLite's own backup starts again after each commit of
 * another process.
 */
export async function readMoment<T>(file: string, read: (session: Session) => Promise<T>): Promise<T> {
  const connection = openForReading(file);
  try {
    return await readMomentOn(connection, read);
  } finally {
    connection.close();
  }
}

/** Nothing else reads on this connection meanwhile. */
export async function readMomentOn<T>(connection: Connection, read: (session: Session) => Promise<T>): Promise<T> {
  connection.exec("BEGIN");
  const rest = new RestOfTables();
  try {
    // the moment is that of the first read
    connection.get("SELECT 1 FROM sqlite_schema");
    return await read({ connection, onQuery: undefined, cached: false, settled: false, hasWritten: () => false, rest });
  } finally {
    rest.clear();
    connection.exec("ROLLBACK");
  }
}
