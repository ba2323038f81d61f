/** One connection as an operation sees it: the reading one, or the writing one inside a transaction. */
import { DamagedDocumentError, type QueryRecord, type CommitWrites } from "../port.ts";
import type { SqliteConnection } from "./connection.ts";
import { parseFrozen, type CachedDocument } from "./document-cache.ts";
import { isCorrupt } from "./errors.ts";
import type { GrownTypes } from "./field-types.ts";
import { isLost, lostError } from "./lost-table.ts";
import { quoteIdentifier } from "./paths.ts";
import { saveFieldTypes } from "./schema.ts";
import type { SqliteTable } from "./table.ts";

export type StoredDocument = CachedDocument["document"];

/** Copies of the readable documents of tables that no query can read. */
export interface Rest {
  /** Undefined for a table that queries can read. */
  copyOf(table: SqliteTable): Session | undefined;
  /** @param session reads the damaged table */
  copy(table: SqliteTable, session: Session): Session;
}

export interface Session {
  readonly connection: SqliteConnection;
  /** Gets a report of each query, when a test asks for it. */
  readonly onQuery: ((record: QueryRecord) => void) | undefined;
  readonly cached: boolean;
  /**
   * True if the session reads committed state only. A query's result is then valid until the next commit to its table.
   */
  readonly settled: boolean;
  hasWritten(table: SqliteTable, row: number): boolean;
  /** For what reads on beside any damage: checks and backups. */
  readonly rest?: Rest;
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

  /** @param added the document, if it is new */
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

  committed(): CommitWrites {
    for (const [table, { rows }] of this.#written) {
      table.cache.dropResults();
      for (const row of rows) table.cache.drop(row);
    }
    return new Map([...this.#written].map(([{ name }, { ids, companies }]) => [name, { ids, companies }]));
  }

  rolledBack(): void {
    for (const { table, grown } of this.#grown.reverse()) table.types.takeBack(grown);
  }
}

/**
 * The document of a row, frozen.
 * @throws DamagedDocumentError
 * @param keep false for scans, which would push documents in use out of the cache
 */
export function loadRow(table: SqliteTable, session: Session, row: number, keep: boolean): StoredDocument | undefined {
  const shared = session.cached && !session.hasWritten(table, row);
  const known = shared ? table.cache.byRow(row) : undefined;
  if (known) return known.document;
  const text = loadText(table, session, row);
  if (text === undefined) return undefined;
  const document = parseRow(table, session, row, text);
  if (shared && keep) table.cache.keep(row, document, text.length);
  return document;
}

/** @param id where it is known */
export function loadText(table: SqliteTable, session: Session, row: number, id?: string): string | undefined {
  try {
    return session.connection.get(`SELECT doc FROM ${table.sqlName} WHERE row = ?`, row)?.["doc"] as string | undefined;
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    // checks and backups don't stop here, because they read all rows that they can
    if (session.cached && isLost(table, session.connection)) throw lostError(table);
    throw table.damaged.add(row, id ?? idInIndex(table, session, row) ?? `in row ${row}`);
  }
}

/** The id of a damaged row from the index of ids, which has a copy of it. */
function idInIndex({ sqlName, name }: SqliteTable, { connection }: Session, row: number): string | undefined {
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

/** Undefined for what can't be read. */
export function readUnlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DamagedDocumentError)) throw error;
    return undefined;
  }
}
