/** MongoDB's updates of one document. */
import { newId } from "#core/ids.ts";
import { equalitiesOf, isPlainObject, isScalar, UpdateTypeError } from "../check-operation.ts";
import type { Untyped } from "../port.ts";
import { compareValues } from "./compare.ts";
import { at } from "./document-values.ts";
import { matcher } from "./match.ts";

type Fields = Record<string, unknown>;

/** The operators, as functions from the field's value to its new value. `undefined` means a missing field. */
const operators: Record<string, (stored: unknown, operand: unknown) => unknown> = {
  $set: (_, operand) => operand,
  $unset: () => undefined,
  $inc: (stored, operand) => ((stored as number | undefined) ?? 0) + (operand as number),
  $max: (stored, operand) => (stored === undefined || compareValues(operand, stored) > 0 ? operand : stored),
  $addToSet: (stored, operand) => {
    const list = listOf(stored);
    for (const value of eachOf(operand)) if (!list.some((known) => compareValues(known, value) === 0)) list.push(value);
    return list;
  },
  $pull: (stored, operand) => {
    if (stored === undefined) return undefined;
    const isPulled = pullCondition(operand);
    return listOf(stored).filter((element) => !isPulled(element));
  },
};

/** Changes the document in place. @returns whether a field changed */
export function applyUpdate(document: Fields, update: Untyped): boolean {
  const { $setOnInsert: _, ...changes } = update;
  const targets = Object.entries(changes).flatMap(([operator, operands]) =>
    Object.entries(operands as object).map(([path, operand]) => ({ operator, path, operand: operand as unknown })),
  );
  for (const { operator, path } of targets) checkTarget(document, operator, path);
  let changed = false;
  for (const { operator, path, operand } of targets) {
    const stored = at(document, path);
    const value = operators[operator]?.(stored, operand);
    if (isSame(stored, value)) continue;
    place(document, path, value);
    changed = true;
  }
  return changed;
}

function listOf(stored: unknown): unknown[] {
  return Array.isArray(stored) ? [...(stored as unknown[])] : [];
}

function eachOf(operand: unknown): unknown[] {
  return isPlainObject(operand) && Array.isArray(operand["$each"]) ? operand["$each"] : [operand];
}

/** The elements that `$pull` removes: those equal to a value, or the objects that match a filter. */
function pullCondition(operand: unknown): (element: unknown) => boolean {
  if (isScalar(operand)) return (element) => compareValues(element, operand) === 0;
  const matches = matcher(operand as Untyped);
  return (element) => isPlainObject(element) && matches(element);
}

/** Compares two values. Null differs from a missing field. */
function isSame(stored: unknown, value: unknown): boolean {
  if (stored === undefined || value === undefined) return stored === value;
  return compareValues(stored, value) === 0;
}

/**
 * Sets the value at the path, or removes the field if the value is undefined. Copies the objects on the way, which may
 * belong to the update or the filter.
 */
function place(document: Fields, path: string, value: unknown): void {
  const segments = path.split(".");
  const name = segments.pop() as string;
  let parent = document;
  for (const segment of segments) {
    const inside = { ...(parent[segment] as Fields | undefined) };
    parent[segment] = inside;
    parent = inside;
  }
  if (value === undefined) delete parent[name];
  else parent[name] = value;
}

function checkTarget(document: Fields, operator: string, path: string): void {
  const segments = path.split(".");
  let parent: unknown = document;
  for (const segment of segments.slice(0, -1)) {
    parent = (parent as Fields)[segment];
    if (parent === undefined) return;
    if (!isPlainObject(parent)) {
      if (operator === "$unset" || operator === "$pull") return;
      throw refusal(operator, path, parent);
    }
  }
  const target = (parent as Fields)[segments.at(-1) as string];
  if (target === undefined) return;
  if (operator === "$inc" && typeof target !== "number") throw refusal(operator, path, target);
  const onArrays = operator === "$pull" || operator === "$addToSet";
  if (onArrays && !Array.isArray(target)) throw refusal(operator, path, target);
}

/** The document that an upsert inserts when nothing matched: the filter's equalities, then the update. */
export function upserted(filter: Untyped, update: Untyped): Fields {
  const given: Fields = { ...equalitiesOf(filter), ...(update["$setOnInsert"] as object | undefined) };
  const { _id = newId(), ...$set } = given;
  const document: Fields = { _id };
  applyUpdate(document, { $set });
  applyUpdate(document, update);
  return document;
}

function refusal(operator: string, path: string, found: unknown): UpdateTypeError {
  return new UpdateTypeError(
    `${operator} can't be applied to ${path}: ${Array.isArray(found) ? "an array" : typeof found}`,
  );
}
