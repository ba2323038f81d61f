/** Translates dotted paths of documents to SQL expressions. */

const translatable = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function literalSql(value: string | number | boolean): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "1" : "0";
  return `'${value.replaceAll("'", "''")}'`;
}

export function isTranslatable(path: string): boolean {
  return translatable.test(path);
}

/**
 * Returns the SQL of a value as text or number. True is 1, false is 0, null and missing are NULL, and an object or
 * array is its JSON text.
 */
export function valueSql(path: string): string {
  return path === "_id" ? "_id" : `doc->>'$.${path}'`;
}

/** Returns the SQL of a value's JSON type: 'null' for an explicit null, NULL for a missing value. */
export function jsonTypeSql(path: string): string {
  return path === "_id" ? "'text'" : `json_type(doc,'$.${path}')`;
}
