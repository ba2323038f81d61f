/** Creates missing tables and indexes of the declarations, and drops indexes that the declarations name as dropped. */
import { isPlainObject, isScalar } from "../check-operation.ts";
import type { Untyped, IndexDeclaration } from "../port.ts";
import type { SqliteConnection } from "./connection.ts";
import { replaceArrayElements, readDocuments, fieldTypesTableName } from "./derived-tables.ts";
import { isCorrupt } from "./errors.ts";
import { FieldTypes } from "./field-types.ts";
import { isTranslatable, literalSql, quoteIdentifier, jsonTypeSql, valueSql } from "./paths.ts";
import type { ArrayIndex, SqliteTable } from "./table.ts";

const signs: Record<string, string> = { $eq: "=", $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" };

const fieldsSql =
  "CREATE TABLE IF NOT EXISTS _fields (collection TEXT NOT NULL, path TEXT NOT NULL, types INTEGER NOT NULL, PRIMARY KEY (collection, path)) STRICT, WITHOUT ROWID";

/** Creates all tables. Call inside a transaction. */
export function createSchema(connection: SqliteConnection, tables: Iterable<SqliteTable>): void {
  connection.exec(fieldsSql);
  for (const table of tables) createTable(connection, table);
}

/** Checks that all pages of a table's documents can be read. @throws SQLite's error for a damaged page */
export function assertPagesReadable(connection: SqliteConnection, table: SqliteTable): void {
  connection.get(`SELECT sum(length(doc)) FROM ${table.sqlName} NOT INDEXED`);
}

/**
 * Rebuilds the indexes of a table from its documents. Their old pages stay unused, because a damaged page can refer to
 * pages of other tables.
 * @throws when some documents can't be read
 */
export function rebuildIndexes(connection: SqliteConnection, table: SqliteTable): void {
  const isOld = "type = 'index' AND tbl_name = ? AND sql IS NOT NULL";
  const arrays = table.arrays.map(({ name }) => `${table.name}/${name}`);
  editSchema(
    connection,
    () => {
      // SQLite creates the index of a UNIQUE column only with its table, so take the empty index of a new table
      connection.exec("CREATE TABLE _fresh (_id TEXT UNIQUE)");
      connection.run(
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex__fresh_1') WHERE name = ?",
        `sqlite_autoindex_${table.name}_1`,
      );
      connection.exec("DELETE FROM sqlite_schema WHERE tbl_name = '_fresh'");
      connection.run(`DELETE FROM sqlite_schema WHERE ${isOld}`, table.name);
      for (const name of arrays) connection.run("DELETE FROM sqlite_schema WHERE tbl_name = ?", name);
    },
    () => {
      connection.exec(`REINDEX ${table.sqlName}`);
      createTable(connection, table);
    },
  );
}

/**
 * Fills a computed table again from its documents. Call inside a transaction.
 * @param name the name that the check reported
 */
export function refillDerivedTable(connection: SqliteConnection, table: SqliteTable, name: string): void {
  if (name === fieldTypesTableName(table.name)) saveTypesOfDocuments(connection, table, () => true);
  for (const index of table.arrays)
    if (name === `${table.name}/${index.name}`) replaceArrayElements(connection, table, index);
}

/** Rebuilds the types of fields if they can't be read. @returns whether the types were rebuilt */
export function repairFieldTypes(connection: SqliteConnection, tables: ReadonlyMap<string, SqliteTable>): boolean {
  if (loadFieldTypes(connection, tables)) return false;
  editSchema(
    connection,
    () => connection.exec("DELETE FROM sqlite_schema WHERE name = '_fields'"),
    () => {
      connection.exec(fieldsSql);
      for (const table of tables.values())
        if (isInSqliteSchema(connection, table.name)) saveTypesOfDocuments(connection, table, () => true);
    },
  );
  loadFieldTypes(connection, tables);
  return true;
}

/**
 * Performs the work. If SQLite's list of unused pages is damaged, lets SQLite write a new file from the pages in use,
 * and performs the work again.
 */
export function retryWithoutFreePages(connection: SqliteConnection, perform: () => void, onReplaced: () => void): void {
  try {
    perform();
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    connection.exec("PRAGMA temp_store=FILE");
    connection.exec("VACUUM");
    perform();
    onReplaced();
  } finally {
    connection.exec("PRAGMA temp_store=MEMORY");
  }
}

/**
 * Changes entries of `sqlite_schema` in a transaction. SQLite normally refuses that.
 * @param then called in the transaction after the change
 */
export function editSchema(connection: SqliteConnection, edit: () => void, then: () => void = () => undefined): void {
  const { database } = connection;
  database.enableDefensive(false);
  connection.exec("PRAGMA writable_schema=ON");
  connection.exec("BEGIN IMMEDIATE");
  try {
    edit();
    const version = connection.get("PRAGMA schema_version")?.["schema_version"] as number;
    connection.exec(`PRAGMA schema_version=${version + 1}`);
    connection.exec("PRAGMA writable_schema=RESET");
    then();
    connection.exec("COMMIT");
  } finally {
    if (database.isTransaction) connection.exec("ROLLBACK");
    connection.exec("PRAGMA writable_schema=RESET");
    database.enableDefensive(true);
  }
}

/** Loads the types of fields. @returns false if the types can't be read: each field can then have any type */
export function loadFieldTypes(connection: SqliteConnection, tables: ReadonlyMap<string, SqliteTable>): boolean {
  const known = new Map<string, Map<string, number>>();
  try {
    if (!isInSqliteSchema(connection, "_fields")) return true;
    for (const { collection, path, types } of connection.all("SELECT collection, path, types FROM _fields")) {
      const ofCollection = known.get(collection as string) ?? new Map<string, number>();
      known.set(collection as string, ofCollection.set(path as string, types as number));
    }
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    for (const { types } of tables.values()) types.load(null);
    return false;
  }
  for (const table of tables.values()) table.types.load(known.get(table.name) ?? new Map());
  return true;
}

export function saveFieldTypes(
  connection: SqliteConnection,
  table: SqliteTable,
  grown: ReadonlyMap<string, number>,
): void {
  for (const [path, types] of grown)
    connection.run(
      "INSERT INTO _fields VALUES (?,?,?) ON CONFLICT DO UPDATE SET types = types | excluded.types",
      table.name,
      path,
      types,
    );
}

function createTable(connection: SqliteConnection, table: SqliteTable): void {
  const bytes = table.binary === undefined ? "" : ", bytes BLOB";
  createIfMissing(
    connection,
    table.name,
    `CREATE TABLE ${table.sqlName} (row INTEGER PRIMARY KEY, _id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL${bytes}) STRICT`,
  );
  for (const name of table.declaration.dropped ?? []) dropSqliteIndex(connection, `${table.name}/${name}`);
  for (const index of table.declaration.indexes) createIndex(connection, table, index);
  saveTypesOfNewPaths(connection, table);
}

/** Drops an index. The index of an array is a table. A unique index has a second index for rows with NULL. */
function dropSqliteIndex(connection: SqliteConnection, name: string): void {
  for (const one of [name, `${name}/null`]) {
    const found = connection.get("SELECT type FROM sqlite_schema WHERE name = ?", one);
    if (found) connection.exec(`DROP ${found["type"] === "table" ? "TABLE" : "INDEX"} ${quoteIdentifier(one)}`);
  }
}

function createIndex(connection: SqliteConnection, table: SqliteTable, index: IndexDeclaration): void {
  const paths = Object.keys(index.keys);
  for (const path of [...paths, ...Object.keys(index.partial ?? {})])
    if (!isTranslatable(path)) throw new Error(`index ${table.name}/${index.name}: ${path} is not a plain path`);
  const elements = table.arrays.find(({ name }) => name === index.name);
  if (elements) return createArrayIndex(connection, table, index, elements);
  const name = `${table.name}/${index.name}`;
  const keys = Object.entries(index.keys).map(
    ([path, direction]) => valueSql(path) + (direction === -1 ? " DESC" : ""),
  );
  const where = partialIndexCondition(index.partial, (path) => `${valueSql(path)} IS NOT NULL`);
  createIfMissing(
    connection,
    name,
    `CREATE ${index.unique ? "UNIQUE " : ""}INDEX ${quoteIdentifier(name)} ON ${table.sqlName} (${keys.join(", ")})${where && ` WHERE ${where}`}`,
  );
  if (!index.unique) return;
  // in MongoDB, two nulls violate a unique index, but in SQLite they don't: a second index compares rows with NULL
  const exact = partialIndexCondition(index.partial, (path) => `${jsonTypeSql(path)} IS NOT NULL`);
  const anyNull = paths.map((path) => `${valueSql(path)} IS NULL`).join(" OR ");
  createIfMissing(
    connection,
    `${name}/null`,
    `CREATE UNIQUE INDEX ${quoteIdentifier(`${name}/null`)} ON ${table.sqlName} (${paths.map((path) => `coalesce(${valueSql(path)}, x'00')`).join(", ")}) WHERE ${exact && `${exact} AND `}(${anyNull})`,
  );
}

/** Returns the WHERE condition of a partial index. @param exists returns the SQL of `$exists: true` */
function partialIndexCondition(partial: Untyped | undefined, exists: (path: string) => string): string {
  return Object.entries(partial ?? {})
    .flatMap(([path, condition]) => {
      const operators = isPlainObject(condition) ? Object.entries(condition) : [["$eq", condition] as const];
      return operators.map(([operator, operand]) => {
        if (operator === "$exists" && operand === true) return exists(path);
        const sign = signs[operator];
        if (sign === undefined || !isScalar(operand) || operand === null)
          throw new Error(`a partial index can't have ${operator}: ${JSON.stringify(operand)}`);
        return `${valueSql(path)} ${sign} ${literalSql(operand)}`;
      });
    })
    .join(" AND ");
}

function createArrayIndex(
  connection: SqliteConnection,
  table: SqliteTable,
  index: IndexDeclaration,
  elements: ArrayIndex,
): void {
  if (index.unique || index.partial)
    throw new Error(`index ${table.name}/${index.name}: an array can't be unique or partial`);
  const columns = [...elements.prefix.map((_, position) => `prefix${position}`), "value"];
  const created = createIfMissing(
    connection,
    `${table.name}/${index.name}`,
    `CREATE TABLE ${elements.sqlName} (${columns.map((column) => `${column} ANY NOT NULL`).join(", ")}, row INTEGER NOT NULL, PRIMARY KEY (${columns.join(", ")}, row)) STRICT, WITHOUT ROWID`,
  );
  if (created) replaceArrayElements(connection, table, elements);
}

/** Stores the types of the values at dotted paths that no index has named before. */
function saveTypesOfNewPaths(connection: SqliteConnection, table: SqliteTable): void {
  const watched = new Set(
    connection.all("SELECT path FROM _fields WHERE collection = ?", table.name).map(({ path }) => path as string),
  );
  if (table.types.nested.every((path) => watched.has(path))) return;
  saveTypesOfDocuments(connection, table, (path) => table.types.nested.includes(path));
}

/** Stores the types that the fields of the stored documents have. @param isMeant says which fields to include */
function saveTypesOfDocuments(
  connection: SqliteConnection,
  table: SqliteTable,
  isMeant: (path: string) => boolean,
): void {
  const seen = new FieldTypes(table.types.nested);
  for (const { document } of readDocuments(connection, table.name)) seen.note(document);
  const paths = new Set([...table.types.nested, ...seen.all().keys()]);
  saveFieldTypes(connection, table, new Map([...paths].filter(isMeant).map((path) => [path, seen.of(path)])));
}

/** Creates a table or an index unless it exists. @returns true if it was created */
function createIfMissing(connection: SqliteConnection, name: string, sql: string): boolean {
  const found = connection.get("SELECT sql FROM sqlite_schema WHERE name = ?", name);
  if (!found) connection.exec(sql);
  else if (found["sql"] !== sql)
    throw new Error(`${name} is declared differently from what the database holds: give the new one another name`);
  return !found;
}

function isInSqliteSchema(connection: SqliteConnection, name: string): boolean {
  return connection.get("SELECT 1 FROM sqlite_schema WHERE name = ?", name) !== undefined;
}
