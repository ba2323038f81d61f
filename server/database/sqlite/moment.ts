/** Reads the database as it is at a single moment, in a transaction on a separate connection. */
import type { SqliteConnection } from "./connection.ts";
import { openForReading } from "./read-only.ts";
import { ReadableTableCopies } from "./readable-copies.ts";
import type { Session } from "./session.ts";

/**
 * Reads on a new connection. The write-ahead log keeps later commits until `read` ends. SQLite's own backup would
 * restart after each commit of another process.
 */
export async function readSnapshot<T>(file: string, read: (session: Session) => Promise<T>): Promise<T> {
  const connection = openForReading(file);
  try {
    return await readSnapshotOn(connection, read);
  } finally {
    connection.close();
  }
}

/** Reads on an open connection. Call when the connection has no other reader. */
export async function readSnapshotOn<T>(
  connection: SqliteConnection,
  read: (session: Session) => Promise<T>,
): Promise<T> {
  connection.exec("BEGIN");
  const rest = new ReadableTableCopies();
  try {
    // the first read sets the moment
    connection.get("SELECT 1 FROM sqlite_schema");
    return await read({ connection, onQuery: undefined, cached: false, settled: false, hasWritten: () => false, rest });
  } finally {
    rest.clear();
    connection.exec("ROLLBACK");
  }
}
