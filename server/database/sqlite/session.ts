/** Defines a session: the connection that an operation uses, for reading, or for writing inside a transaction. */
import { DamagedDocumentError, type QueryRecord, type CommitWrites } from "../port.ts";
import type { SqliteConnection } from "./connection.ts";
import { parseFrozen, type CachedDocument } from "./document-cache.ts";
import { isCorrupt } from "./errors.ts";
import type { GrownTypes } from "./field-types.ts";
import { isTableLost, lostTableError } from "./lost-table.ts";
import { quoteIdentifier } from "./paths.ts";
import { saveFieldTypes } from "./schema.ts";
import type { SqliteTable } from "./table.ts";

export type StoredDocument = CachedDocument["document"];

/** Copies of the readable documents of tables that are too damaged for queries. */
export interface ReadableCopies {
  /** Returns the copy of a table; undefined for a table that queries can read. */
  copyOf(table: SqliteTable): Session | undefined;
  /** Copies the readable documents of a table. @param session reads the damaged table */
  copy(table: SqliteTable, session: Session): Session;
}

export interface Session {
  readonly connection: SqliteConnection;
  /** Gets a report of each query, for tests. */
  readonly onQuery: ((record: QueryRecord) => void) | undefined;
  /** True if the session uses the tables' caches; false for checks, backups and other readers. */
  readonly cached: boolean;
  /**
   * True if the session sees only committed data. The result of a query is then valid until the next commit to its
   * table.
   */
  readonly settled: boolean;
  hasWritten(table: SqliteTable, row: number): boolean;
  /** Set for checks and backups, which continue to read in spite of damage. */
  readonly rest?: ReadableCopies;
}

export class WriteSession implements Session {
  readonly connection: SqliteConnection;
  readonly onQuery: ((record: QueryRecord) => void) | undefined;
  readonly cached = true;
  readonly settled = false;
  readonly #written = new Map<SqliteTable, { rows: Set<number>; ids: Set<string>; companies: Set<string> }>();
  readonly #grown: { table: SqliteTable; grown: GrownTypes }[] = [];

  constructor(connection: SqliteConnection, onQuery: ((record: QueryRecord) => void) | undefined) {
    this.connection = connection;
    this.onQuery = onQuery;
  }

  hasWritten(table: SqliteTable, row: number): boolean {
    return this.#written.get(table)?.rows.has(row) ?? false;
  }

  /** Notes that the transaction has written a row. @param added the document, if it is new */
  markWritten(table: SqliteTable, row: number, id: string, added?: object): void {
    const written = this.#written.get(table) ?? { rows: new Set(), ids: new Set(), companies: new Set() };
    this.#written.set(table, written);
    written.rows.add(row);
    written.ids.add(id);
    if (added && "companyId" in added && typeof added.companyId === "string") written.companies.add(added.companyId);
  }

  noteTypes(table: SqliteTable, document: Record<string, unknown>): void {
    const grown = table.types.note(document);
    if (!grown) return;
    this.#grown.push({ table, grown });
    saveFieldTypes(this.connection, table, new Map([...grown].map(([path, { after }]) => [path, after])));
  }

  /** Removes outdated documents and results from the caches. Call after the commit. @returns the written documents */
  applyCommit(): CommitWrites {
    for (const [table, { rows }] of this.#written) {
      table.cache.dropResults();
      for (const row of rows) table.cache.drop(row);
    }
    return new Map([...this.#written].map(([{ name }, { ids, companies }]) => [name, { ids, companies }]));
  }

  /** Takes back the types that the transaction added. Call after a rollback. */
  revertTypes(): void {
    for (const { table, grown } of this.#grown.reverse()) table.types.revert(grown);
  }
}

/**
 * Loads the document of a row, frozen.
 * @param keep false for large scans, which would displace documents in use from the cache
 * @throws DamagedDocumentError
 */
export function loadRow(table: SqliteTable, session: Session, row: number, keep: boolean): StoredDocument | undefined {
  const shared = session.cached && !session.hasWritten(table, row);
  const known = shared ? table.cache.byRow(row) : undefined;
  if (known) return known.document;
  const text = loadRowText(table, session, row);
  if (text === undefined) return undefined;
  const document = parseRow(table, session, row, text);
  if (shared && keep) table.cache.keep(row, document, text.length);
  return document;
}

/** Loads the JSON text of a row. @param id the document's id, if known */
export function loadRowText(table: SqliteTable, session: Session, row: number, id?: string): string | undefined {
  try {
    return session.connection.get(`SELECT doc FROM ${table.sqlName} WHERE row = ?`, row)?.["doc"] as string | undefined;
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    // only the server's connections stop here; checks and backups continue with other rows
    if (session.cached && isTableLost(table, session.connection)) throw lostTableError(table);
    throw table.damaged.add(row, id ?? readIdFromIndex(table, session, row) ?? `in row ${row}`);
  }
}

/**
 * Reads the id of a damaged row from the index of ids, which has a copy of each id.
 * @returns undefined if the index can't be read
 */
function readIdFromIndex({ sqlName, name }: SqliteTable, { connection }: Session, row: number): string | undefined {
  try {
    const index = quoteIdentifier(`sqlite_autoindex_${name}_1`);
    return connection.get(`SELECT _id FROM ${sqlName} INDEXED BY ${index} WHERE row = ?`, row)?.["_id"] as string;
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return undefined;
  }
}

export function parseRow(table: SqliteTable, session: Session, row: number, text: string): StoredDocument {
  try {
    const document = parseFrozen(text);
    if (typeof document._id === "string" && (!table.isCurrent || table.hasShape(document))) return document;
  } catch {
    // the text isn't valid JSON
  }
  const id = session.connection.get(`SELECT _id FROM ${table.sqlName} WHERE row = ?`, row)?.["_id"];
  throw table.damaged.add(row, String(id));
}

/** Runs `read`. @returns undefined if the document is damaged */
export function readUnlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DamagedDocumentError)) throw error;
    return undefined;
  }
}
