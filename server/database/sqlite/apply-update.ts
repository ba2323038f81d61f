/** Updates by mingo, after the checks it leaves out: it would silently skip what MongoDB refuses. */
import { update as mingoUpdate } from "mingo";
import type { Modifier } from "mingo/updater";
import { newId } from "#core/ids.ts";
import { equalitiesOf, isPlainObject, UpdateTypeError } from "../check-operation.ts";
import type { Filter, Update } from "../port.ts";
import { compareValues } from "./compare.ts";
import { at } from "./document-values.ts";

/** Changes the document in place. @returns whether anything changed */
export function applyUpdate(document: Record<string, unknown>, update: Update): boolean {
  const { $setOnInsert: _, ...changes } = update;
  for (const [operator, operands] of Object.entries(changes))
    for (const path of Object.keys(operands as object)) checkTarget(document, operator, path);
  const resolved = withoutComparisons(document, changes);
  if (Object.keys(resolved).length === 0) return false;
  return mingoUpdate(document, resolved as Modifier<Record<string, unknown>>).length > 0;
}

/**
 * `$min`, `$max` and `$addToSet` as the `$set` they come to: mingo compares by other rules, and its `$addToSet` forgets to add
 * to an array that holds something twice.
 */
function withoutComparisons(document: Record<string, unknown>, update: Update): Update {
  const { $min = {}, $max = {}, $addToSet = {}, ...rest } = update;
  const set: Record<string, unknown> = { ...(rest["$set"] as object | undefined) };
  for (const [operands, better] of [
    [$min, -1],
    [$max, 1],
  ] as const)
    for (const [path, operand] of Object.entries(operands as object)) {
      const stored = at(document, path);
      if (stored === undefined || Math.sign(compareValues(operand, stored)) === better) set[path] = operand;
    }
  for (const [path, operand] of Object.entries($addToSet as object)) {
    const stored = at(document, path);
    const list = Array.isArray(stored) ? [...(stored as unknown[])] : [];
    const wanted: unknown[] = isPlainObject(operand) && Array.isArray(operand["$each"]) ? operand["$each"] : [operand];
    for (const value of wanted) if (!list.some((known) => compareValues(known, value) === 0)) list.push(value);
    if (stored === undefined || list.length > (stored as unknown[]).length) set[path] = list;
  }
  return Object.keys(set).length > 0 ? { ...rest, $set: set } : rest;
}

function checkTarget(document: Record<string, unknown>, operator: string, path: string): void {
  const segments = path.split(".");
  let parent: unknown = document;
  for (const segment of segments.slice(0, -1)) {
    parent = (parent as Record<string, unknown>)[segment];
    if (parent === undefined) return;
    if (!isPlainObject(parent)) {
      if (operator === "$unset" || operator === "$pull") return;
      throw refusal(operator, path, parent);
    }
  }
  const target = (parent as Record<string, unknown>)[segments.at(-1) as string];
  if (target === undefined) return;
  if (operator === "$inc" && typeof target !== "number") throw refusal(operator, path, target);
  const onArrays = operator === "$push" || operator === "$pull" || operator === "$addToSet";
  if (onArrays && !Array.isArray(target)) throw refusal(operator, path, target);
}

/** What an upsert inserts when nothing matched: the filter's equalities, then the update. */
export function upserted(filter: Filter, update: Update): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  const equalities = equalitiesOf(filter);
  const sets = Object.entries({ ...equalities, ...(update["$setOnInsert"] as object | undefined) });
  if (sets.length > 0) {
    const { _id, ...rest } = Object.fromEntries(sets);
    if (_id !== undefined) document["_id"] = _id;
    if (Object.keys(rest).length > 0) mingoUpdate(document, { $set: rest as Record<string, never> });
  }
  document["_id"] ??= newId();
  applyUpdate(document, update);
  return document;
}

function refusal(operator: string, path: string, found: unknown): UpdateTypeError {
  return new UpdateTypeError(
    `${operator} can't be applied to ${path}: ${Array.isArray(found) ? "an array" : typeof found}`,
  );
}
