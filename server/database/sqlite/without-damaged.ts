/** Runs queries on tables that have rows with invalid JSON. SQLite fails when it reads a field of such a row. */
import { isCorrupt } from "./errors.ts";
import type { Session } from "./session.ts";
import type { SqliteTable } from "./table.ts";

const sqlError = 1;

/** Says whether SQLite read a field of a document that isn't JSON. The error doesn't name the row. */
function isMalformed(error: unknown): boolean {
  return (error as { errcode?: unknown } | null)?.errcode === sqlError && (error as Error).message === "malformed JSON";
}

/** Finds the rows whose document isn't JSON, and adds them to the damaged rows. */
function noteMalformedRows(table: SqliteTable, session: Session): void {
  const { connection } = session;
  try {
    const rows = connection.all(`SELECT row, _id FROM ${table.sqlName} WHERE NOT json_valid(doc)`);
    for (const { row, _id } of rows) table.damaged.add(row as number, _id as string);
  } catch (error) {
    if (!isCorrupt(error) || session.rest === undefined) throw error;
    session.rest.copy(table, session);
  }
}

/**
 * Performs a query, and repeats it without the rows that turn out to be damaged.
 * @param perform gets the SQL condition that excludes these rows
 */
export function performWithoutDamaged<T>(table: SqliteTable, session: Session, perform: (excluding: string) => T): T {
  for (;;) {
    const known = table.damaged.count;
    try {
      const result = perform(table.damaged.exclusionSql());
      if (table.damaged.count === known) return result;
    } catch (error) {
      if (!isMalformed(error)) throw error;
      noteMalformedRows(table, session);
      if (table.damaged.count === known && !session.rest?.copyOf(table)) throw error;
    }
  }
}

/**
 * Finds a single document.
 * @param perform throws at a damaged row
 * @throws DamagedDocumentError if the document is damaged, or if nothing is found and a damaged row could be the
 * document
 */
export function performOrNameDamage<T>(
  table: SqliteTable,
  session: Session,
  perform: (excluding: string) => T | undefined,
): T | undefined {
  try {
    return perform("");
  } catch (error) {
    if (!isMalformed(error)) throw error;
    const found = performWithoutDamaged(table, session, perform);
    if (found === undefined) throw table.damaged.error();
    return found;
  }
}
