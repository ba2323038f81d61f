/**
 * Detects tables whose root page is damaged. None of their documents can be found then, and a list would wrongly be
 * empty.
 */
import { LostCollectionError } from "../port.ts";
import type { SqliteConnection } from "./connection.ts";
import { isCorrupt } from "./errors.ts";
import { quoteIdentifier } from "./paths.ts";
import type { SqliteTable } from "./table.ts";

export function isTableLost({ sqlName, name }: SqliteTable, connection: SqliteConnection): boolean {
  const canRead = (rest: string, ...values: readonly unknown[]) =>
    readUnlessCorrupt(() => [connection.get(`SELECT doc FROM ${sqlName} NOT INDEXED ${rest}`, ...values)]) !==
    undefined;
  if (canRead("ORDER BY row LIMIT 1") || canRead("ORDER BY row DESC LIMIT 1")) return false;
  // the index of ids has the row numbers too
  const index = quoteIdentifier(`sqlite_autoindex_${name}_1`);
  const rows = readUnlessCorrupt(() => connection.all(`SELECT row FROM ${sqlName} INDEXED BY ${index}`)) ?? [];
  return !rows.some(({ row }) => canRead("WHERE row = ?", row));
}

/** Reports that the table can't be read. @returns the error to throw */
export function lostTableError(table: SqliteTable): LostCollectionError {
  table.lost();
  return new LostCollectionError(table.name);
}

function readUnlessCorrupt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return undefined;
  }
}
