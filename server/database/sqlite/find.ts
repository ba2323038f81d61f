/**
 * Finds documents by id in the cache, or by SQL as far as SQL can express the filter. Checks the other conditions on
 * each document.
 */
import { assertSupportedFilter, isPlainObject } from "../check-operation.ts";
import type { Untyped, FindOptions, Sort } from "../port.ts";
import { sortDocuments } from "./compare.ts";
import { isCorrupt } from "./errors.ts";
import { performOrNameDamage, performWithoutDamaged } from "./without-damaged.ts";
import { filterSql } from "./filter-sql.ts";
import { filterPredicate, type Predicate } from "./match.ts";
import { explainQueryPlan } from "./plan.ts";
import { loadRow, readUnlessDamaged, type Session, type StoredDocument } from "./session.ts";
import type { SqliteTable } from "./table.ts";
import { BOOLEAN, NULL, NUMBER, STRING } from "./field-types.ts";
import { isTranslatable, quoteIdentifier, valueSql } from "./paths.ts";

export interface FoundRow {
  row: number;
  document: StoredDocument;
}

/**
 * The maximum number of rows of a query whose documents enter the cache. A larger query must not displace documents in
 * use.
 */
const cachedResults = 500;

/** Finds rows. Leaves out documents that can't be read. */
export function findRows(
  table: SqliteTable,
  session: Session,
  filter: Untyped,
  options: FindOptions<Untyped> = {},
): FoundRow[] {
  assertSupportedFilter(filter);
  return performWithoutDamaged(table, session, (excluding) =>
    searchAllWays(table, session, filter, options, { excluding, loads: loadReadable }),
  );
}

/** Finds the first matching row. @throws DamagedDocumentError when its document can't be read */
export function findFirst(
  table: SqliteTable,
  session: Session,
  filter: Untyped,
  options: FindOptions<Untyped> = {},
): FoundRow | undefined {
  assertSupportedFilter(filter);
  const first = { ...options, limit: 1 };
  return performOrNameDamage(table, session, (excluding) => {
    const [found] = searchAllWays(table, session, filter, first, { excluding, loads: loadRow });
    if (found === undefined && session.rest?.copyOf(table) && table.damaged.isAny) throw table.damaged.error();
    return found;
  });
}

interface RowReading {
  /** The SQL condition that excludes damaged rows, or "". */
  excluding: string;
  loads: typeof loadRow;
}

const loadReadable: typeof loadRow = (...row) => readUnlessDamaged(() => loadRow(...row));

/**
 * Searches by an index, else in the table, else by ids or in a copy of the readable rows. If some pages are damaged,
 * another way still finds most documents.
 */
function searchAllWays(
  table: SqliteTable,
  session: Session,
  filter: Untyped,
  options: FindOptions<Untyped>,
  reading: RowReading,
): FoundRow[] {
  const { rest } = session;
  const searchIn = (copy: Session) =>
    searchInTable(table.sqlName, table, copy, filter, options, { ...reading, excluding: "" });
  const copied = rest?.copyOf(table);
  if (copied) return searchIn(copied);
  const ways = [
    () => searchInTable(table.sqlName, table, session, filter, options, reading),
    () => searchInTable(`${table.sqlName} NOT INDEXED`, table, session, filter, options, reading),
    rest ? () => searchIn(rest.copy(table, session)) : () => searchByIds(table, session, filter, options, reading),
  ];
  return readBeyondCorrupt(table, ways);
}

function readBeyondCorrupt<T>(table: SqliteTable, [way, ...others]: readonly (() => T)[]): T {
  if (way === undefined) throw new Error("there is no way to read the table");
  try {
    return way();
  } catch (error) {
    if (!isCorrupt(error) || others.length === 0) throw error;
    table.damaged.startIndexRebuild();
    return readBeyondCorrupt(table, others);
  }
}

/** Searches by reading every document through the index of ids. */
function searchByIds(
  table: SqliteTable,
  session: Session,
  filter: Untyped,
  options: FindOptions<Untyped>,
  reading: RowReading,
): FoundRow[] {
  const from = `${table.sqlName} INDEXED BY ${quoteIdentifier(`sqlite_autoindex_${table.name}_1`)}`;
  const rows = session.connection.all(`SELECT row FROM ${from} ORDER BY _id`).map(({ row }) => row as number);
  const all = loadMatchingRows(table, session, rows, reading, {
    keep: false,
    accepts: filterPredicate(filter),
    needed: Infinity,
  });
  return skipAndLimit(sortFound(all, options.sort), options);
}

function searchInTable(
  from: string,
  table: SqliteTable,
  session: Session,
  filter: Untyped,
  options: FindOptions<Untyped>,
  reading: RowReading,
): FoundRow[] {
  const ids = idsNamedByFilter(filter);
  if (ids) return findByIds(from, table, session, ids, filter, options, reading);
  const condition = filterSql(table, filter);
  const order = sortSql(table, options.sort);
  const bounded = condition.exact && order !== undefined;
  const page = bounded && (options.limit !== undefined || options.skip !== undefined);
  const where = whereSql(reading.excluding, condition.sql);
  const sql = `SELECT row FROM ${from}${where}${order ?? ""}${page ? " LIMIT ? OFFSET ?" : ""}`;
  const values = page ? [...condition.values, options.limit ?? -1, options.skip ?? 0] : condition.values;
  reportQuery(table, session, filter, options.sort, () => {
    const plan = explainQueryPlan(session.connection, sql, values);
    return { ...plan, sortedByIndex: plan.sortedByIndex && order !== undefined };
  });
  const rows = queryRowNumbers(table, session, sql, values);
  const keep = rows.length <= cachedResults;
  const loadRows = (accepts: Predicate | undefined, needed: number) =>
    loadMatchingRows(table, session, rows, reading, { keep, accepts, needed });
  if (bounded) return loadRows(undefined, rows.length);
  const accepts = condition.exact ? undefined : filterPredicate(filter);
  if (order === undefined) return skipAndLimit(sortFound(loadRows(accepts, Infinity), options.sort), options);
  const needed = (options.skip ?? 0) + (options.limit ?? Infinity);
  return skipAndLimit(loadRows(accepts, needed), options);
}

/** Returns the WHERE clause. The exclusion comes first, so that SQLite reads no value of a damaged row. */
function whereSql(excluding: string, condition: string): string {
  if (excluding === "") return condition && ` WHERE ${condition}`;
  return ` WHERE ${excluding}${condition && ` AND (${condition})`}`;
}

/** Returns the row numbers of a query. Repeats between two commits to the table come from the cache. */
function queryRowNumbers(
  table: SqliteTable,
  session: Session,
  sql: string,
  values: readonly unknown[],
): readonly number[] {
  if (!session.settled) return session.connection.all(sql, ...values).map(({ row }) => row as number);
  const query = `${sql} ${JSON.stringify(values)}`;
  const known = table.cache.result(query);
  if (known) return known;
  const rows = session.connection.all(sql, ...values).map(({ row }) => row as number);
  if (rows.length <= cachedResults) table.cache.keepResult(query, rows);
  return rows;
}

export function countDocumentsIn(
  table: SqliteTable,
  session: Session,
  filter: Untyped,
  limit: number | undefined,
): number {
  assertSupportedFilter(filter);
  const condition = filterSql(table, filter);
  if (idsNamedByFilter(filter) || !condition.exact)
    return findRows(table, session, filter, limit === undefined ? {} : { limit }).length;
  const values = limit === undefined ? condition.values : [...condition.values, limit];
  const countRows = (excluding: string) => {
    const where = whereSql(excluding, condition.sql);
    const sql =
      limit === undefined
        ? `SELECT count(*) AS n FROM ${table.sqlName}${where}`
        : `SELECT count(*) AS n FROM (SELECT 1 FROM ${table.sqlName}${where} LIMIT ?)`;
    reportQuery(table, session, filter, undefined, () => explainQueryPlan(session.connection, sql, values));
    return session.connection.get(sql, ...values)?.["n"] as number;
  };
  return readBeyondCorrupt(table, [
    () => performWithoutDamaged(table, session, countRows),
    () => findRows(table, session, filter, limit === undefined ? {} : { limit }).length,
  ]);
}

function loadMatchingRows(
  table: SqliteTable,
  session: Session,
  rows: readonly number[],
  { loads }: RowReading,
  { keep, accepts, needed }: { keep: boolean; accepts: Predicate | undefined; needed: number },
): FoundRow[] {
  const found: FoundRow[] = [];
  for (const row of rows) {
    if (found.length >= needed) break;
    const document = loads(table, session, row, keep);
    if (document && (!accepts || accepts(document))) found.push({ row, document });
  }
  return found;
}

function findByIds(
  from: string,
  table: SqliteTable,
  session: Session,
  ids: readonly string[],
  filter: Untyped,
  options: FindOptions<Untyped>,
  { loads }: RowReading,
): FoundRow[] {
  reportQuery(table, session, filter, options.sort, () => ({ indexed: true, sortedByIndex: true, detail: "by _id" }));
  const { _id: _, ...rest } = filter;
  const accepts = Object.keys(rest).length === 0 ? undefined : filterPredicate(rest);
  const found: FoundRow[] = [];
  for (const id of ids) {
    const one = findById(from, table, session, id, loads);
    if (one && (!accepts || accepts(one.document))) found.push(one);
  }
  return skipAndLimit(options.sort && found.length > 1 ? sortFound(found, options.sort) : found, options);
}

function findById(
  from: string,
  table: SqliteTable,
  session: Session,
  id: string,
  loads: typeof loadRow,
): FoundRow | undefined {
  const known = session.cached ? table.cache.byId(id) : undefined;
  if (known && !session.hasWritten(table, known.row)) return { row: known.row, document: known.document };
  const row = session.connection.get(`SELECT row FROM ${from} WHERE _id = ?`, id)?.["row"] as number | undefined;
  const document = row === undefined ? undefined : loads(table, session, row, true);
  return row === undefined || !document ? undefined : { row, document };
}

/** Returns the ids that a filter names; undefined if it names none. */
function idsNamedByFilter(filter: Untyped): readonly string[] | undefined {
  const id: unknown = filter["_id"];
  if (typeof id === "string") return [id];
  if (!isPlainObject(id) || Object.keys(id).length !== 1) return undefined;
  if (typeof id["$eq"] === "string") return [id["$eq"]];
  const many = id["$in"];
  if (!Array.isArray(many)) return undefined;
  return [...new Set(many)].filter((one): one is string => typeof one === "string");
}

function sortFound(found: readonly FoundRow[], sort: Sort<Untyped> | undefined): FoundRow[] {
  const byDocument = new Map(found.map((one) => [one.document, one]));
  return sortDocuments([...byDocument.keys()], sort ?? {}).map((document) => byDocument.get(document) as FoundRow);
}

function skipAndLimit<T>(found: T[], { skip = 0, limit = Infinity }: FindOptions<Untyped>): T[] {
  return skip === 0 && found.length <= limit ? found : found.slice(skip, skip + limit);
}

function reportQuery(
  table: SqliteTable,
  session: Session,
  filter: Untyped,
  sort: Sort<Untyped> | undefined,
  plan: () => { indexed: boolean; sortedByIndex: boolean; detail: string },
): void {
  session.onQuery?.({ collection: table.name, filter, sort, ...plan() });
}

/**
 * Returns the ORDER BY clause.
 * @returns undefined if SQL can't sort like MongoDB: arrays, objects, or booleans (1 and 0 in SQLite) among other types
 */
function sortSql(table: SqliteTable, sort: Sort<Untyped> | undefined): string | undefined {
  const terms = Object.entries(sort ?? {}).map(([path, direction]) => {
    const types = isTranslatable(path) ? table.types.of(path) : -1;
    const sortable = (types & ~(NULL | NUMBER | STRING)) === 0 || (types & ~(NULL | BOOLEAN)) === 0;
    return sortable ? `${valueSql(path)}${direction === -1 ? " DESC" : ""}` : undefined;
  });
  if (terms.includes(undefined)) return undefined;
  return terms.length === 0 ? "" : ` ORDER BY ${terms.join(", ")}`;
}
