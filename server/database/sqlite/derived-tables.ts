/**
 * Manages tables that are computed from the documents of a collection: a table with the elements of each indexed array,
 * and the rows of `_fields`. A wrong row in them makes lists wrong, and SQLite's own check doesn't compare them.
 */
import type { SqliteConnection } from "./connection.ts";
import type { FieldTypes } from "./field-types.ts";
import { jsonTypeSql, quoteIdentifier, valueSql } from "./paths.ts";
import type { ArrayIndex, SqliteTable } from "./table.ts";

type Documents = Pick<SqliteTable, "name" | "arrays">;

export interface DerivedDifference {
  /** The name of the table, such as `sops/linked`, or `_fields of sops`. */
  table: string;
  /** The difference as text, such as "it lacks 2 rows and has 1 row too many". */
  how: string;
}

const kept = "IN ('text', 'integer', 'real')";
const rowsAtOnce = 50;

export const fieldTypesTableName = (collection: string) => `_fields of ${collection}`;

/**
 * Returns the SQL of a query with a row for each document: its array as JSON, and the columns that precede each
 * element. A document that isn't JSON counts as empty, because SQLite would fail. The limit makes SQLite compute these
 * columns only once.
 */
function arraysSql(sqlName: string, { array, prefix }: ArrayIndex): string {
  const columns = prefix.map(
    (path, at) => `CASE WHEN ${jsonTypeSql(path)} ${kept} THEN ${valueSql(path)} ELSE '' END AS prefix${at}`,
  );
  const list = `CASE WHEN ${jsonTypeSql(array)} = 'array' THEN doc->'$.${array}' ELSE '[]' END AS list`;
  const readable = `SELECT row, CASE WHEN json_valid(doc) THEN doc ELSE '{}' END AS doc FROM ${sqlName}`;
  return `(SELECT ${[...columns, list, "row"].join(", ")} FROM (${readable}) LIMIT -1)`;
}

const prefixColumnsOf = ({ prefix }: ArrayIndex) => prefix.map((_, at) => `prefix${at}`);

/**
 * Returns the SQL condition that excludes rows of damaged documents. They stay in the table, so that a query which
 * needs such a document fails instead of missing it.
 */
const notDamagedSql = (sqlName: string) => `row NOT IN (SELECT row FROM ${sqlName} WHERE NOT json_valid(doc))`;

/** Replaces the elements in the table of an array by the elements in all documents. Call inside a transaction. */
export function replaceArrayElements(
  connection: SqliteConnection,
  { name }: Pick<Documents, "name">,
  index: ArrayIndex,
): void {
  const documents = quoteIdentifier(name);
  connection.exec(`DELETE FROM ${index.sqlName} WHERE ${notDamagedSql(documents)}`);
  const columns = [...prefixColumnsOf(index), "each.value", "row"].join(", ");
  connection.exec(
    `INSERT OR IGNORE INTO ${index.sqlName} SELECT ${columns} FROM ${arraysSql(documents, index)}, json_each(list) AS each WHERE each.type ${kept}`,
  );
}

/** Yields all documents that are JSON, a few in memory at once. */
export function* readDocuments(
  connection: SqliteConnection,
  name: string,
): Generator<{ _id: string; document: Record<string, unknown> }> {
  const sql = `SELECT row, _id, doc FROM ${quoteIdentifier(name)} WHERE row > ? AND json_valid(doc) ORDER BY row LIMIT ${rowsAtOnce}`;
  for (let after = -1, rows = connection.all(sql, after); rows.length > 0; rows = connection.all(sql, after))
    for (const { row, _id, doc } of rows) {
      after = row as number;
      yield { _id: String(_id), document: JSON.parse(doc as string) as Record<string, unknown> };
    }
}

/**
 * Compares the computed tables of a collection with its documents.
 * @param types the types of the fields of all documents
 */
export function findDerivedDifferences(
  connection: SqliteConnection,
  { name, arrays }: Documents,
  types: FieldTypes,
): DerivedDifference[] {
  const hasTable = (table: string) =>
    connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", table) !== undefined;
  const ofArrays = arrays
    .filter((index) => hasTable(`${name}/${index.name}`))
    .map((index) => ({ table: `${name}/${index.name}`, ...countDifferences(connection, name, index) }));
  const ofTypes = hasTable("_fields")
    ? [{ table: fieldTypesTableName(name), unit: "type", lacks: countUnknownTypes(connection, name, types), has: 0 }]
    : [];
  return [...ofArrays, ...ofTypes].flatMap(({ table, lacks, has, unit = "row" }) => {
    const countWithUnit = (n: number) => `${n} ${unit}${n === 1 ? "" : "s"}`;
    const parts = [
      ...(lacks > 0 ? [`lacks ${countWithUnit(lacks)}`] : []),
      ...(has > 0 ? [`has ${countWithUnit(has)} too many`] : []),
    ];
    return parts.length === 0 ? [] : [{ table, how: `it ${parts.join(" and ")}` }];
  });
}

interface Counts {
  lacks: number;
  /** The number of rows that belong to no document. */
  has: number;
  unit?: string;
}

/**
 * Counts the differences in one statement, because the server may write at the same time. Handles one document at a
 * time, which needs little memory.
 */
function countDifferences(connection: SqliteConnection, name: string, index: ArrayIndex): Counts {
  const documents = quoteIdentifier(name);
  const countElementsSql = (more = "") =>
    `(SELECT count(DISTINCT each.value) FROM json_each(list) AS each WHERE each.type ${kept}${more})`;
  const same = [...prefixColumnsOf(index), "row"]
    .map((column) => `stored.${column} = document.${column} AND `)
    .join("");
  const there = countElementsSql(
    ` AND EXISTS (SELECT 1 FROM ${index.sqlName} AS stored WHERE ${same}stored.value = each.value)`,
  );
  const sql = `SELECT total(said) AS said, total(there) AS there, (SELECT count(*) FROM ${index.sqlName} WHERE ${notDamagedSql(documents)}) AS stored FROM (SELECT ${countElementsSql()} AS said, ${there} AS there FROM ${arraysSql(documents, index)} AS document)`;
  const counted = connection.get(sql) as { said: number; there: number; stored: number };
  return { lacks: counted.said - counted.there, has: counted.stored - counted.there };
}

/**
 * Counts the types that `_fields` lacks. A type that no document has anymore is no difference, because types are never
 * removed.
 */
function countUnknownTypes(connection: SqliteConnection, name: string, types: FieldTypes): number {
  const rows = connection.all("SELECT path, types FROM _fields WHERE collection = ?", name);
  const known = new Map(rows.map((row) => [row["path"] as string, row["types"] as number]));
  // when the server starts, it learns the types of a dotted path without a row
  const isWatched = (path: string) => !types.nested.includes(path) || known.has(path);
  return [...types.all()].filter(([path, bits]) => isWatched(path) && (bits & ~(known.get(path) ?? 0)) !== 0).length;
}
