/** Compares values in MongoDB's order, and sorts documents by it. */
import { isPlainObject } from "../check-operation.ts";
import type { Sort, Untyped } from "../port.ts";
import { valuesAt } from "./document-values.ts";

function typeOrder(value: unknown): number {
  if (value === undefined || value === null) return 1;
  if (typeof value === "number") return 2;
  if (typeof value === "string") return 3;
  if (Array.isArray(value)) return 5;
  return typeof value === "boolean" ? 6 : 4;
}

/**
 * Compares by type, then by value. Strings are compared by code point, as in MongoDB and SQLite; JavaScript's `<`
 * compares UTF-16 units.
 */
export function compareValues(a: unknown, b: unknown): number {
  const byType = typeOrder(a) - typeOrder(b);
  if (byType !== 0) return byType;
  if (typeof a === "string") return compareStrings(a, b as string);
  if (typeof a === "number") return a - (b as number);
  if (typeof a === "boolean") return Number(a) - Number(b);
  if (Array.isArray(a)) return compareLists(a, b as unknown[]);
  if (isPlainObject(a)) return compareObjects(a, b as Record<string, unknown>);
  return 0;
}

export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return codePointOrder(left) - codePointOrder(right);
  }
  return a.length - b.length;
}

/**
 * Returns the sort key of a UTF-16 unit. Surrogates get keys above U+E000…U+FFFF, so that units sort like code points.
 */
function codePointOrder(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const order = compareValues(a[index], b[index]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareObjects(a: Record<string, unknown>, b: Record<string, unknown>): number {
  const left = Object.entries(a);
  const right = Object.entries(b);
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const [leftKey, leftValue] = left[index] as [string, unknown];
    const [rightKey, rightValue] = right[index] as [string, unknown];
    const order =
      typeOrder(leftValue) - typeOrder(rightValue) ||
      compareStrings(leftKey, rightKey) ||
      compareValues(leftValue, rightValue);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Sorts by the smallest element of an array when ascending, by the largest when descending, as MongoDB does. */
export function sortDocuments<T extends object>(documents: readonly T[], sort: Sort<Untyped>): T[] {
  const fields = Object.entries(sort);
  const keyed = documents.map((document) => ({
    document,
    keys: fields.map(([path, direction]) => sortValueAt(document, path, direction)),
  }));
  keyed.sort((a, b) => {
    for (let index = 0; index < fields.length; index += 1) {
      const order = compareSortKeys(a.keys[index], b.keys[index]) * (fields[index]?.[1] ?? 1);
      if (order !== 0) return order;
    }
    return 0;
  });
  return keyed.map(({ document }) => document);
}

/** Marks an empty array, which sorts before null. */
const emptyArray = Symbol("empty array");

function sortValueAt(document: object, path: string, direction: 1 | -1 = 1): unknown {
  const candidates = valuesAt(document, path).flatMap((value): unknown[] => {
    if (!Array.isArray(value)) return [value];
    return value.length === 0 ? [emptyArray] : value;
  });
  if (candidates.length === 0) return undefined;
  return candidates.reduce((best, value) => (compareSortKeys(value, best) * direction < 0 ? value : best));
}

function compareSortKeys(a: unknown, b: unknown): number {
  if (a === emptyArray || b === emptyArray) return Number(b === emptyArray) - Number(a === emptyArray);
  return compareValues(a, b);
}
