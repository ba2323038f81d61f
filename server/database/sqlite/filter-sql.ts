/**
 * Translates filters to SQL as far as possible. The SQL always returns at least the matching rows. `exact` means that
 * it returns no others, so that documents need no second check and SQL can apply LIMIT.
 */
import { isPlainObject, isScalar } from "../check-operation.ts";
import type { Untyped } from "../port.ts";
import { ARRAY, BOOLEAN, NULL, NUMBER, OBJECT, STRING } from "./field-types.ts";
import { isTranslatable, literalSql, jsonTypeSql, valueSql } from "./paths.ts";
import type { SqliteTable } from "./table.ts";

export interface SqlCondition {
  sql: string;
  values: unknown[];
  exact: boolean;
  /** Keys that the condition on the table of elements already compares. */
  fixed?: readonly string[];
}

const anything: SqlCondition = { sql: "", values: [], exact: false };
const nothing: SqlCondition = { sql: "0", values: [], exact: true };
const always: SqlCondition = { sql: "1", values: [], exact: true };

const signs: Record<string, string> = { $gt: ">", $gte: ">=", $lt: "<", $lte: "<=" };

export function filterSql(table: SqliteTable, filter: Untyped, around: Untyped = {}): SqlCondition {
  const equal = { ...around, ...filter };
  const { $or, ...beside } = filter as Untyped & { $or?: Untyped[] };
  // repeat the other conditions in each alternative, so that SQLite can use only the unique index
  if ($or?.every((part) => matchesAtMostOne(table, { ...equal, ...part })))
    return orSql(
      padToPowerOfTwo($or).map((part) => andSql([filterSql(table, beside, around), filterSql(table, part, equal)])),
      false,
    );
  const parts = Object.entries(filter).map(([key, condition]) => ({
    key,
    part: clauseSql(table, key, condition, equal),
  }));
  const fixed = new Set(parts.flatMap(({ part }) => part.fixed ?? []));
  return andSql(parts.map(({ key, part }) => (fixed.has(key) ? withoutIndex(part) : part)));
}

/**
 * Keeps SQLite from using an index for this condition. The index would read all rows of a company instead of the few
 * that match an array element.
 */
function withoutIndex(condition: SqlCondition): SqlCondition {
  return condition.sql === "" ? condition : { ...condition, sql: `+(${condition.sql})` };
}

/**
 * Returns the SQL of one condition.
 * @param equal the whole filter, whose fixed values narrow a search among array elements
 */
function clauseSql(table: SqliteTable, key: string, condition: unknown, equal: Untyped): SqlCondition {
  if (key === "$and") return andSql((condition as Untyped[]).map((part) => filterSql(table, part, equal)));
  if (key === "$or")
    return orSql(
      (condition as Untyped[]).map((part) => filterSql(table, part, equal)),
      Object.keys(equal).length > 1,
    );
  if (key === "$nor" || !isTranslatable(key)) return anything;
  if (isScalar(condition)) return operatorSql(table, key, "$eq", condition, equal);
  return andSql(
    Object.entries(condition as Untyped).map(([operator, operand]) =>
      operatorSql(table, key, operator, operand, equal),
    ),
  );
}

function andSql(parts: readonly SqlCondition[]): SqlCondition {
  const narrowing = parts.filter(({ sql }) => sql !== "");
  return {
    sql: narrowing.map(({ sql }) => sql).join(" AND "),
    values: narrowing.flatMap(({ values }) => values),
    exact: parts.every(({ exact }) => exact),
    fixed: parts.flatMap(({ fixed = [] }) => fixed),
  };
}

/** Says whether at most one document can match, because the filter has a value for every key of a unique index. */
function matchesAtMostOne(table: SqliteTable, filter: Untyped): boolean {
  const isGiven = (key: string) => {
    const value = filter[key];
    return (typeof value === "string" || typeof value === "number") && !(table.types.of(key) & ARRAY);
  };
  return table.declaration.indexes.some(
    ({ unique, partial, keys }) => unique === true && !partial && Object.keys(keys).every(isGiven),
  );
}

/**
 * Joins conditions by OR.
 * @param besides true if the filter has other conditions. A plus sign then keeps SQLite from splitting the OR, so that
 * it uses the index of another condition
 */
function orSql(parts: readonly SqlCondition[], besides: boolean): SqlCondition {
  if (parts.some(({ sql, exact }) => sql === "" && !exact)) return anything;
  return {
    sql: `${besides ? "+" : ""}(${parts.map(({ sql }) => (sql === "" ? "1" : `(${sql})`)).join(" OR ")})`,
    values: parts.flatMap(({ values }) => values),
    exact: parts.every(({ exact }) => exact),
  };
}

function operatorSql(
  table: SqliteTable,
  path: string,
  operator: string,
  operand: unknown,
  equal: Untyped,
): SqlCondition {
  const types = table.types.of(path);
  if (operator === "$exists") return existsSql(path, types, operand as boolean);
  if (types & ARRAY) return arraySql(table, path, operator, operand, equal);
  if (operator === "$eq") return equalsOneOfSql(table, path, types, [operand]);
  if (operator === "$in") return equalsOneOfSql(table, path, types, operand as unknown[]);
  if (operator === "$ne") return notInSql(table, path, types, [operand]);
  if (operator === "$nin") return notInSql(table, path, types, operand as unknown[]);
  if (operator in signs) return comparisonSql(table, path, types, operator, operand);
  return anything;
}

function existsSql(path: string, types: number, wanted: boolean): SqlCondition {
  if (path.includes(".") && types & ARRAY) return anything;
  const subject = types & NULL ? jsonTypeSql(path) : valueSql(path);
  return { sql: `${subject} IS ${wanted ? "NOT " : ""}NULL`, values: [], exact: true };
}

/** Returns the SQL for "equals one of the options", on a field that never had an array. */
function equalsOneOfSql(table: SqliteTable, path: string, types: number, options: readonly unknown[]): SqlCondition {
  const values = [...new Set(options.filter((option) => option !== null))] as (string | number | boolean)[];
  const orNull = options.includes(null) ? `${valueSql(path)} IS NULL` : undefined;
  if (values.length === 0) return orNull ? { ...always, sql: orNull } : nothing;
  const bound = bindSql(values, table.literalPaths.has(path));
  const equal = `${valueSql(path)}${bound.sql}`;
  return {
    sql: orNull ? `(${equal} OR ${orNull})` : equal,
    values: bound.values,
    exact: values.every((value) => equalityIsExact(types, value)),
  };
}

function notInSql(table: SqliteTable, path: string, types: number, options: readonly unknown[]): SqlCondition {
  const { sql, values, exact } = equalsOneOfSql(table, path, types, options);
  return exact ? { sql: `(${sql}) IS NOT TRUE`, values, exact } : anything;
}

/**
 * Says whether SQL compares this value as MongoDB does. It can't if the field had a boolean or an object, because
 * SQLite stores `true` as 1 and an object as its text.
 */
function equalityIsExact(types: number, value: string | number | boolean): boolean {
  if (typeof value === "string") return !(types & OBJECT) || !/^[{[]/.test(value);
  return !(types & (typeof value === "number" ? BOOLEAN : NUMBER));
}

/** Repeats the last element until the length is a power of two, so that fewer different statements are prepared. */
function padToPowerOfTwo<T>(list: readonly T[]): T[] {
  const size = list.length > 256 ? list.length : 2 ** Math.ceil(Math.log2(list.length));
  return [...list, ...list.slice(-1).flatMap((last) => Array.from({ length: size - list.length }, () => last))];
}

function bindSql(
  values: readonly (string | number | boolean)[],
  literally: boolean,
): { sql: string; values: unknown[] } {
  const plain = values.map((value) => (typeof value === "boolean" ? Number(value) : value));
  if (plain.length === 1 && plain[0] !== undefined)
    return literally ? { sql: ` = ${literalSql(plain[0])}`, values: [] } : { sql: " = ?", values: plain };
  if (literally && plain.length <= 16) return { sql: ` IN (${plain.map(literalSql).join(",")})`, values: [] };
  if (plain.length > 256) return { sql: " IN (SELECT value FROM json_each(?))", values: [JSON.stringify(plain)] };
  const bound = padToPowerOfTwo(plain);
  return { sql: ` IN (${bound.map(() => "?").join(",")})`, values: bound };
}

function comparisonSql(
  table: SqliteTable,
  path: string,
  types: number,
  operator: string,
  operand: unknown,
): SqlCondition {
  if (typeof operand !== "string" && typeof operand !== "number") return anything;
  const value = valueSql(path);
  const upwards = operator === "$gt" || operator === "$gte";
  const literally = table.literalPaths.has(path);
  let sql = `${value} ${signs[operator]} ${literally ? literalSql(operand) : "?"}`;
  // SQLite orders every number before every text, but MongoDB compares only within a type
  if (typeof operand === "string" && !upwards && types & (NUMBER | BOOLEAN)) sql += ` AND ${value} >= ''`;
  if (typeof operand === "number" && upwards && types & (STRING | OBJECT)) sql += ` AND ${value} < ''`;
  const exact = typeof operand === "string" ? !(types & OBJECT) : !(types & BOOLEAN);
  return { sql, values: literally ? [] : [operand], exact };
}

/**
 * Returns the SQL for a field with arrays, by the table of its elements. Needs such a table, and a field that was
 * always an array.
 */
function arraySql(table: SqliteTable, path: string, operator: string, operand: unknown, equal: Untyped): SqlCondition {
  const elements = table.arrays.find(({ array }) => array === path);
  const without = operator === "$nin" || operator === "$ne";
  const inside = without ? elementSql("$in", operator === "$ne" ? [operand] : operand) : elementSql(operator, operand);
  if (!elements || !inside || table.types.of(path) & ~(ARRAY | NULL)) return anything;
  const prefix = elements.prefix.flatMap((key, position) => {
    const value = equal[key];
    const known = (typeof value === "string" || typeof value === "number") && !(table.types.of(key) & ARRAY);
    return known ? [{ key, sql: `prefix${position} = ?`, value }] : [];
  });
  return {
    sql: `row ${without ? "NOT " : ""}IN (SELECT row FROM ${elements.sqlName} WHERE ${[...prefix, inside].map(({ sql }) => sql).join(" AND ")})`,
    values: [...prefix.map(({ value }) => value), ...inside.values],
    exact: true,
    fixed: without ? [] : prefix.map(({ key }) => key),
  };
}

/**
 * Returns the SQL that tests one array element. Only strings and numbers are indexed, so other operands give no SQL.
 */
function elementSql(operator: string, operand: unknown): { sql: string; values: unknown[] } | undefined {
  const isIndexed = (value: unknown): value is string | number =>
    typeof value === "string" || typeof value === "number";
  if (operator === "$elemMatch" && isPlainObject(operand)) {
    const parts = Object.entries(operand).map(([inner, value]) => elementSql(inner, value));
    if (!parts.every((part) => part !== undefined)) return undefined;
    return { sql: parts.map(({ sql }) => sql).join(" AND "), values: parts.flatMap(({ values }) => values) };
  }
  if (operator === "$eq" && isIndexed(operand)) return { sql: "value = ?", values: [operand] };
  if (operator === "$in" && Array.isArray(operand) && operand.length > 0 && operand.every(isIndexed)) {
    const bound = bindSql([...new Set(operand)], false);
    return { sql: `value${bound.sql}`, values: bound.values };
  }
  if (!(operator in signs) || !isIndexed(operand)) return undefined;
  const sameType = typeof operand === "string" ? "value >= ''" : "value < ''";
  return { sql: `value ${signs[operator]} ? AND ${sameType}`, values: [operand] };
}
