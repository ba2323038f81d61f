/**
 * Saves the readable documents of tables with many damaged pages, for checks and backups. No query can read such a
 * table, so the documents are copied into a temporary database with new indexes. The work has a limit: each table is
 * copied once, and each index is read at most twice. A range of n unreadable rows costs at most `probedOneByOne * (1 +
 * ln n)` reads.
 */
import { SqliteConnection } from "./connection.ts";
import { isCorrupt } from "./errors.ts";
import { quoteIdentifier, valueSql } from "./paths.ts";
import { createSchema } from "./schema.ts";
import { loadRowText, parseRow, readUnlessDamaged, type ReadableCopies, type Session } from "./session.ts";
import type { SqliteTable } from "./table.ts";

/**
 * The number of unreadable rows that are tried one by one. After that, each step is this fraction of the range, which
 * is less than a page usually has.
 */
const probedOneByOne = 10_000;

type UnreadableRange = readonly [from: number, to: number];
type OnRow = (row: number, id: string) => void;

export class ReadableTableCopies implements ReadableCopies {
  readonly #copies = new Map<SqliteTable, Session>();
  #connection: SqliteConnection | null = null;

  copyOf(table: SqliteTable): Session | undefined {
    return this.#copies.get(table);
  }

  copy(table: SqliteTable, session: Session): Session {
    const connection = (this.#connection ??= new SqliteConnection("", "write"));
    const { declaration } = table;
    createSchema(connection, [{ ...table, declaration: { ...declaration, indexes: [] } }]);
    connection.exec("BEGIN");
    copyRows(table, session, connection);
    connection.exec("COMMIT");
    // pages of different age can contain a key twice, so the copy has no unique index
    const indexes = declaration.indexes.map((index) => ({ ...index, unique: false }));
    createSchema(connection, [{ ...table, declaration: { ...declaration, indexes } }]);
    const copied: Session = { ...session, connection };
    this.#copies.set(table, copied);
    return copied;
  }

  clear(): void {
    this.#connection?.close();
    this.#connection = null;
    this.#copies.clear();
  }
}

function copyRows(table: SqliteTable, session: Session, copy: SqliteConnection): void {
  const { sqlName, damaged } = table;
  const { connection } = session;
  const addRow: OnRow = (row, id) => {
    const text = readUnlessDamaged(() => {
      const stored = loadRowText(table, session, row, id);
      if (stored !== undefined) parseRow(table, session, row, stored);
      return stored;
    });
    const sql = `INSERT OR IGNORE INTO ${sqlName} (row, _id, doc) VALUES (?,?,?)`;
    if (text === undefined || copy.run(sql, row, id, text).changes === 0) damaged.add(row, id);
  };
  const stretches = visitReadableRows(table, connection, largestRowNumber(table, connection), addRow);
  const named = new Set<number>();
  for (const direction of ["", " DESC"]) {
    const sql = `SELECT row, _id FROM ${sqlName} INDEXED BY ${quoteIdentifier(idIndexName(table))} ORDER BY _id${direction}`;
    readUntilDamage(connection, sql, [], (row, id) => {
      if (stretches.some(([from, to]) => row >= from && row <= to)) named.add(row);
      if (copy.get(`SELECT 1 FROM ${sqlName} WHERE row = ?`, row) === undefined) addRow(row, id);
    });
  }
  const many = stretches.reduce((sum, [from, to]) => sum + to - from + 1, 0) - named.size;
  const [start, end] = [stretches[0]?.[0], stretches.at(-1)?.[1]];
  if (start !== undefined && end !== undefined && many > 0) damaged.addUnreadableRange(start, end, many);
}

const idIndexName = ({ name }: SqliteTable) => `sqlite_autoindex_${name}_1`;

/**
 * Calls `add` for each readable row.
 * @returns the ranges of rows that can't be read. The last range ends at Infinity if the number of rows isn't known
 */
function visitReadableRows(
  table: SqliteTable,
  connection: SqliteConnection,
  last: number,
  add: OnRow,
): UnreadableRange[] {
  const sql = `SELECT row, _id FROM ${table.sqlName} NOT INDEXED WHERE row >= ? ORDER BY row`;
  const isReadable = (row: number) => readUntilDamage(connection, `${sql} LIMIT 1`, [row], () => undefined);
  const stretches: UnreadableRange[] = [];
  for (let next = 1; ;) {
    const isWhole = readUntilDamage(connection, sql, [next], (row, id) => {
      next = row + 1;
      add(row, id);
    });
    if (isWhole) return stretches;
    const start = next;
    let failed = start;
    const guessRowAfterDamage = () => failed + Math.max(1, Math.floor((failed - start) / probedOneByOne));
    for (next = guessRowAfterDamage(); next <= last && !isReadable(next); next = guessRowAfterDamage()) failed = next;
    if (next > last) return [...stretches, [start, last < start ? Infinity : last]];
    // find the first readable row within the last step
    while (next - failed > 1) {
      const middle = Math.floor((failed + next) / 2);
      if (isReadable(middle)) next = middle;
      else failed = middle;
    }
    stretches.push([start, next - 1]);
  }
}

/** Returns the largest row number in the readable parts of the table and its indexes. */
function largestRowNumber(table: SqliteTable, connection: SqliteConnection): number {
  const { sqlName, name, declaration } = table;
  const indexes = declaration.indexes.filter(({ partial, array }) => partial === undefined && array === undefined);
  const orders: [index: string, keys: [term: string, direction: number | undefined][]][] = [
    [idIndexName(table), [["_id", 1]]],
    ...indexes.map((index): (typeof orders)[number] => [
      `${name}/${index.name}`,
      Object.entries(index.keys).map(([path, direction]) => [valueSql(path), direction]),
    ]),
  ];
  let last = 0;
  const noteRow: OnRow = (row) => void (last = Math.max(last, row));
  readUntilDamage(connection, `SELECT row FROM ${sqlName} NOT INDEXED ORDER BY row DESC LIMIT 1`, [], noteRow);
  for (const [index, keys] of orders)
    for (const way of [1, -1]) {
      const terms = keys.map(([term, direction]) => `${term}${direction === way ? "" : " DESC"}`).join(", ");
      readUntilDamage(
        connection,
        `SELECT row FROM ${sqlName} INDEXED BY ${quoteIdentifier(index)} ORDER BY ${terms}`,
        [],
        noteRow,
      );
    }
  return last;
}

/** Reads rows until the end or a damaged page. @returns false at a damaged page */
function readUntilDamage(connection: SqliteConnection, sql: string, values: readonly unknown[], onRow: OnRow): boolean {
  try {
    for (const { row, _id } of connection.each(sql, ...values)) onRow(row as number, _id as string);
    return true;
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return false;
  }
}
