/** Tables and indexes from the declarations. Creates what is missing; drops what was declared as dropped. */
import { isPlainObject, isScalar } from "../check-operation.ts";
import type { Untyped, IndexDeclaration } from "../port.ts";
import type { Connection } from "./connection.ts";
import { FieldTypes } from "./field-types.ts";
import { isTranslatable, literal, quoted, typeOf, valueOf } from "./paths.ts";
import type { ArrayIndex, Table } from "./table.ts";

const signs: Record<string, string> = { $eq: "=", $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" };

/** Runs inside a transaction. */
export function createSchema(connection: Connection, tables: Iterable<Table>): void {
  connection.exec(
    "CREATE TABLE IF NOT EXISTS _fields (collection TEXT NOT NULL, path TEXT NOT NULL, types INTEGER NOT NULL, PRIMARY KEY (collection, path)) STRICT, WITHOUT ROWID",
  );
  for (const table of tables) createTable(connection, table);
}

/** From the documents of a table. @throws when SQLite can't empty the old ones, or read all documents */
export function makeIndexes(connection: Connection, table: Table): void {
  connection.exec(`REINDEX ${table.sqlName}`);
  for (const { sqlName } of table.arrays) connection.exec(`DROP TABLE ${sqlName}`);
  createTable(connection, table);
}

export function loadFieldTypes(connection: Connection, tables: ReadonlyMap<string, Table>): void {
  const known = new Map<string, Map<string, number>>();
  if (!exists(connection, "_fields")) return;
  for (const { collection, path, types } of connection.all("SELECT collection, path, types FROM _fields")) {
    const ofCollection = known.get(collection as string) ?? new Map<string, number>();
    known.set(collection as string, ofCollection.set(path as string, types as number));
  }
  for (const table of tables.values()) table.types.load(known.get(table.name) ?? new Map());
}

export function saveFieldTypes(connection: Connection, table: Table, grown: ReadonlyMap<string, number>): void {
  for (const [path, types] of grown)
    connection.run(
      "INSERT INTO _fields VALUES (?,?,?) ON CONFLICT DO UPDATE SET types = types | excluded.types",
      table.name,
      path,
      types,
    );
}

function createTable(connection: Connection, table: Table): void {
  const bytes = table.binary === undefined ? "" : ", bytes BLOB";
  ensure(
    connection,
    table.name,
    `CREATE TABLE ${table.sqlName} (row INTEGER PRIMARY KEY, _id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL${bytes}) STRICT`,
  );
  for (const name of table.declaration.dropped ?? []) dropIndex(connection, `${table.name}/${name}`);
  for (const index of table.declaration.indexes) createIndex(connection, table, index);
  watchNewPaths(connection, table);
}

/** An index of an array is a table; a unique one has a second one for nulls. */
function dropIndex(connection: Connection, name: string): void {
  for (const one of [name, `${name}/null`]) {
    const found = connection.get("SELECT type FROM sqlite_schema WHERE name = ?", one);
    if (found) connection.exec(`DROP ${found["type"] === "table" ? "TABLE" : "INDEX"} ${quoted(one)}`);
  }
}

function createIndex(connection: Connection, table: Table, index: IndexDeclaration): void {
  const paths = Object.keys(index.keys);
  for (const path of [...paths, ...Object.keys(index.partial ?? {})])
    if (!isTranslatable(path)) throw new Error(`index ${table.name}/${index.name}: ${path} is not a plain path`);
  const elements = table.arrays.find(({ name }) => name === index.name);
  if (elements) return createArrayIndex(connection, table, index, elements);
  const name = `${table.name}/${index.name}`;
  const keys = Object.entries(index.keys).map(([path, direction]) => valueOf(path) + (direction === -1 ? " DESC" : ""));
  const where = partialSql(index.partial, (path) => `${valueOf(path)} IS NOT NULL`);
  ensure(
    connection,
    name,
    `CREATE ${index.unique ? "UNIQUE " : ""}INDEX ${quoted(name)} ON ${table.sqlName} (${keys.join(", ")})${where && ` WHERE ${where}`}`,
  );
  if (!index.unique) return;
  // in SQLite every NULL is distinct, in MongoDB they are equal: an index of its own compares rows with NULL
  const exact = partialSql(index.partial, (path) => `${typeOf(path)} IS NOT NULL`);
  const anyNull = paths.map((path) => `${valueOf(path)} IS NULL`).join(" OR ");
  ensure(
    connection,
    `${name}/null`,
    `CREATE UNIQUE INDEX ${quoted(`${name}/null`)} ON ${table.sqlName} (${paths.map((path) => `coalesce(${valueOf(path)}, x'00')`).join(", ")}) WHERE ${exact && `${exact} AND `}(${anyNull})`,
  );
}

/** @param exists how `$exists: true` is written */
function partialSql(partial: Untyped | undefined, exists: (path: string) => string): string {
  return Object.entries(partial ?? {})
    .flatMap(([path, condition]) => {
      const operators = isPlainObject(condition) ? Object.entries(condition) : [["$eq", condition] as const];
      return operators.map(([operator, operand]) => {
        if (operator === "$exists" && operand === true) return exists(path);
        const sign = signs[operator];
        if (sign === undefined || !isScalar(operand) || operand === null)
          throw new Error(`a partial index can't have ${operator}: ${JSON.stringify(operand)}`);
        return `${valueOf(path)} ${sign} ${literal(operand)}`;
      });
    })
    .join(" AND ");
}

function createArrayIndex(connection: Connection, table: Table, index: IndexDeclaration, elements: ArrayIndex): void {
  if (index.unique || index.partial)
    throw new Error(`index ${table.name}/${index.name}: an array can't be unique or partial`);
  const columns = [...elements.prefix.map((_, position) => `prefix${position}`), "value"];
  const created = ensure(
    connection,
    `${table.name}/${index.name}`,
    `CREATE TABLE ${elements.sqlName} (${columns.map((column) => `${column} ANY NOT NULL`).join(", ")}, row INTEGER NOT NULL, PRIMARY KEY (${columns.join(", ")}, row)) STRICT, WITHOUT ROWID`,
  );
  if (!created) return;
  const kept = "IN ('text', 'integer', 'real')";
  const prefix = elements.prefix
    .map((path) => `CASE WHEN ${typeOf(path)} ${kept} THEN ${valueOf(path)} ELSE '' END, `)
    .join("");
  connection.exec(
    `INSERT OR IGNORE INTO ${elements.sqlName} SELECT ${prefix}each.value, row FROM ${table.sqlName}, json_each(doc, '$.${elements.array}') AS each WHERE ${typeOf(elements.array)} = 'array' AND each.type ${kept}`,
  );
}

/** Dotted paths that an index has newly named: learns what the stored documents hold there. */
function watchNewPaths(connection: Connection, table: Table): void {
  const watched = new Set(
    connection.all("SELECT path FROM _fields WHERE collection = ?", table.name).map(({ path }) => path as string),
  );
  if (table.types.nested.every((path) => watched.has(path))) return;
  const seen = new FieldTypes(table.types.nested);
  for (const { doc } of connection.all(`SELECT doc FROM ${table.sqlName} WHERE json_valid(doc)`))
    seen.note(JSON.parse(doc as string) as Record<string, unknown>);
  saveFieldTypes(connection, table, new Map(table.types.nested.map((path) => [path, seen.of(path)])));
}

/** @returns true when it was created now */
function ensure(connection: Connection, name: string, sql: string): boolean {
  const found = connection.get("SELECT sql FROM sqlite_schema WHERE name = ?", name);
  if (!found) connection.exec(sql);
  else if (found["sql"] !== sql)
    throw new Error(`${name} is declared differently from what the database holds: give the new one another name`);
  return !found;
}

function exists(connection: Connection, name: string): boolean {
  return connection.get("SELECT 1 FROM sqlite_schema WHERE name = ?", name) !== undefined;
}
