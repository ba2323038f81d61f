/** Writes single documents inside a transaction, together with their field types, array elements and bytes. */
import { assertStorableDocument, isPlainObject, normalUpdate, withoutUndefined } from "../check-operation.ts";
import type { Untyped } from "../port.ts";
import { applyUpdate } from "./apply-update.ts";
import { valueAtPath } from "./document-values.ts";
import { loadRowText, type WriteSession } from "./session.ts";
import type { ArrayIndex, SqliteTable } from "./table.ts";

type DocumentFields = Record<string, unknown>;

export function insertRow(table: SqliteTable, session: WriteSession, given: object): void {
  assertStorableDocument(given, table.binary);
  const { bytes, document } = separateBytes(table, withoutUndefined(given) as DocumentFields);
  const id = document["_id"];
  session.noteTypes(table, document);
  const columns = table.binary === undefined ? "(_id, doc) VALUES (?,?)" : "(_id, doc, bytes) VALUES (?,?,?)";
  const values = table.binary === undefined ? [id, jsonText(document)] : [id, jsonText(document), bytes ?? null];
  const row = session.connection.run(`INSERT INTO ${table.sqlName} ${columns}`, ...values).lastInsertRowid;
  session.markWritten(table, row, id as string, document);
  for (const index of table.arrays) updateArrayElements(session, index, row, {}, document);
}

/** Applies an update to a row. @returns whether the document was changed */
export function updateRow(table: SqliteTable, session: WriteSession, row: number, given: Untyped): boolean {
  const change = normalUpdate(given);
  if (Object.keys(change).length === 0) return false;
  const bytes = extractBinaryField(table, change);
  const text = loadRowText(table, session, row);
  if (text === undefined) return false;
  const document = JSON.parse(text) as DocumentFields;
  const changed = applyUpdate(document, change);
  if (changed) {
    session.noteTypes(table, document);
    session.connection.run(`UPDATE ${table.sqlName} SET doc = ? WHERE row = ?`, jsonText(document), row);
    const before = table.arrays.length > 0 ? (JSON.parse(text) as DocumentFields) : {};
    for (const index of table.arrays) updateArrayElements(session, index, row, before, document);
  }
  if (bytes !== undefined) session.connection.run(`UPDATE ${table.sqlName} SET bytes = ? WHERE row = ?`, bytes, row);
  if (changed || bytes !== undefined) session.markWritten(table, row, document["_id"] as string);
  return changed || bytes !== undefined;
}

export function deleteRow(table: SqliteTable, session: WriteSession, row: number, document: object): void {
  session.connection.run(`DELETE FROM ${table.sqlName} WHERE row = ?`, row);
  session.markWritten(table, row, (document as DocumentFields)["_id"] as string);
  for (const index of table.arrays) updateArrayElements(session, index, row, document as DocumentFields, {});
}

/**
 * Returns the JSON text of a value. Lone surrogates become U+FFFD, as with the MongoDB driver, because SQLite's text
 * can't contain them.
 */
function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes("\\ud")) return text;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "string" ? part.toWellFormed() : part));
}

function separateBytes(
  table: SqliteTable,
  given: DocumentFields,
): { bytes: Uint8Array | undefined; document: DocumentFields } {
  if (table.binary === undefined || !(table.binary in given)) return { bytes: undefined, document: given };
  const { [table.binary]: bytes, ...document } = given;
  return { bytes: bytes as Uint8Array, document };
}

/**
 * Removes the bytes from an update and returns them.
 * @returns null to remove the stored bytes, undefined to keep them
 */
function extractBinaryField(table: SqliteTable, change: Untyped): Uint8Array | null | undefined {
  const name = table.binary;
  if (name === undefined) return undefined;
  let bytes: Uint8Array | null | undefined;
  for (const operator of ["$set", "$unset"]) {
    const changes: unknown = change[operator];
    if (!isPlainObject(changes) || !(name in changes)) continue;
    const { [name]: value, ...rest } = changes;
    bytes = operator === "$set" ? (value as Uint8Array) : null;
    change[operator] = rest;
    if (Object.keys(rest).length === 0) delete change[operator];
  }
  return bytes;
}

function updateArrayElements(
  session: WriteSession,
  index: ArrayIndex,
  row: number,
  before: DocumentFields,
  after: DocumentFields,
): void {
  const [old, now] = [indexedElementsOf(index, before), indexedElementsOf(index, after)];
  const moved = JSON.stringify(old.prefix) !== JSON.stringify(now.prefix);
  const gone = moved ? [...old.values] : [...old.values].filter((value) => !now.values.has(value));
  const added = moved ? [...now.values] : [...now.values].filter((value) => !old.values.has(value));
  const where = index.prefix.map((_, position) => `prefix${position} = ? AND `).join("");
  if (gone.length > 0)
    session.connection.run(
      `DELETE FROM ${index.sqlName} WHERE ${where}value IN (SELECT value FROM json_each(?)) AND row = ?`,
      ...old.prefix,
      jsonText(gone),
      row,
    );
  if (added.length > 0)
    // OR IGNORE, because the row of a damaged document can still be in the table
    session.connection.run(
      `INSERT OR IGNORE INTO ${index.sqlName} SELECT ${index.prefix.map(() => "?, ").join("")}value, ? FROM json_each(?)`,
      ...now.prefix,
      row,
      jsonText(added),
    );
}

function indexedElementsOf(
  index: ArrayIndex,
  document: DocumentFields,
): { prefix: (string | number)[]; values: Set<string | number> } {
  const isIndexed = (value: unknown): value is string | number =>
    typeof value === "string" || typeof value === "number";
  const list = valueAtPath(document, index.array);
  return {
    prefix: index.prefix.map((path) => valueAtPath(document, path)).map((value) => (isIndexed(value) ? value : "")),
    values: new Set(Array.isArray(list) ? list.filter(isIndexed) : []),
  };
}
