/** Reads values inside a document by dotted path. */
import { isPlainObject } from "../check-operation.ts";

/** Returns the value at a dotted path. Doesn't look into arrays. */
export function valueAtPath(document: unknown, path: string): unknown {
  let value = document;
  for (const segment of path.split(".")) {
    if (!isPlainObject(value)) return undefined;
    value = value[segment];
  }
  return value;
}

/**
 * Returns every value at a dotted path, including values in arrays of objects. A path that ends early gives
 * `undefined`. An array element that isn't an object gives no value.
 */
export function valuesAt(document: unknown, path: string): unknown[] {
  const dot = path.indexOf(".");
  const key = dot < 0 ? path : path.slice(0, dot);
  const value = (document as Record<string, unknown>)[key];
  if (dot < 0) return [value];
  const rest = path.slice(dot + 1);
  if (Array.isArray(value)) return value.filter(isPlainObject).flatMap((element) => valuesAt(element, rest));
  return isPlainObject(value) ? valuesAt(value, rest) : [undefined];
}
