/** Applies MongoDB's update operators to one document. */
import { newId } from "#core/ids.ts";
import { equalitiesInFilter, isPlainObject, isScalar, UpdateTypeError } from "../check-operation.ts";
import type { Untyped } from "../port.ts";
import { compareValues } from "./compare.ts";
import { valueAtPath } from "./document-values.ts";
import { filterPredicate } from "./match.ts";

type DocumentFields = Record<string, unknown>;

/** The operators, as functions from the field's value to its new value. `undefined` means a missing field. */
const operators: Record<string, (stored: unknown, operand: unknown) => unknown> = {
  $set: (_, operand) => operand,
  $unset: () => undefined,
  $inc: (stored, operand) => ((stored as number | undefined) ?? 0) + (operand as number),
  $max: (stored, operand) => (stored === undefined || compareValues(operand, stored) > 0 ? operand : stored),
  $addToSet: (stored, operand) => {
    const list = copyOfArray(stored);
    for (const value of valuesOfEach(operand))
      if (!list.some((known) => compareValues(known, value) === 0)) list.push(value);
    return list;
  },
  $pull: (stored, operand) => {
    if (stored === undefined) return undefined;
    const isPulled = createPullPredicate(operand);
    return copyOfArray(stored).filter((element) => !isPulled(element));
  },
};

/** Changes the document in place. @returns whether a field was changed */
export function applyUpdate(document: DocumentFields, update: Untyped): boolean {
  const { $setOnInsert: _, ...changes } = update;
  const targets = Object.entries(changes).flatMap(([operator, operands]) =>
    Object.entries(operands as object).map(([path, operand]) => ({ operator, path, operand: operand as unknown })),
  );
  for (const { operator, path } of targets) assertTarget(document, operator, path);
  let changed = false;
  for (const { operator, path, operand } of targets) {
    const stored = valueAtPath(document, path);
    const value = operators[operator]?.(stored, operand);
    if (isSameStoredValue(stored, value)) continue;
    setAtPath(document, path, value);
    changed = true;
  }
  return changed;
}

function copyOfArray(stored: unknown): unknown[] {
  return Array.isArray(stored) ? [...(stored as unknown[])] : [];
}

function valuesOfEach(operand: unknown): unknown[] {
  return isPlainObject(operand) && Array.isArray(operand["$each"]) ? operand["$each"] : [operand];
}

/**
 * Returns a predicate for the elements that `$pull` removes: those equal to a value, or the objects that match a
 * filter.
 */
function createPullPredicate(operand: unknown): (element: unknown) => boolean {
  if (isScalar(operand)) return (element) => compareValues(element, operand) === 0;
  const matches = filterPredicate(operand as Untyped);
  return (element) => isPlainObject(element) && matches(element);
}

/** Says whether two values are equal. Null differs from a missing field. */
function isSameStoredValue(stored: unknown, value: unknown): boolean {
  if (stored === undefined || value === undefined) return stored === value;
  return compareValues(stored, value) === 0;
}

/**
 * Sets the value at the path, or removes the field if the value is undefined. Copies the objects along the path,
 * because the update or the filter may share them.
 */
function setAtPath(document: DocumentFields, path: string, value: unknown): void {
  const segments = path.split(".");
  const name = segments.pop() as string;
  let parent = document;
  for (const segment of segments) {
    const inside = { ...(parent[segment] as DocumentFields | undefined) };
    parent[segment] = inside;
    parent = inside;
  }
  if (value === undefined) delete parent[name];
  else parent[name] = value;
}

/** Checks that the operator fits the value at the path. @throws UpdateTypeError */
function assertTarget(document: DocumentFields, operator: string, path: string): void {
  const segments = path.split(".");
  let parent: unknown = document;
  for (const segment of segments.slice(0, -1)) {
    parent = (parent as DocumentFields)[segment];
    if (parent === undefined) return;
    if (!isPlainObject(parent)) {
      if (operator === "$unset" || operator === "$pull") return;
      throw updateTypeError(operator, path, parent);
    }
  }
  const target = (parent as DocumentFields)[segments.at(-1) as string];
  if (target === undefined) return;
  if (operator === "$inc" && typeof target !== "number") throw updateTypeError(operator, path, target);
  const onArrays = operator === "$pull" || operator === "$addToSet";
  if (onArrays && !Array.isArray(target)) throw updateTypeError(operator, path, target);
}

/** Returns the document that an upsert inserts when nothing matched: the filter's equalities, then the update. */
export function documentToInsert(filter: Untyped, update: Untyped): DocumentFields {
  const given: DocumentFields = { ...equalitiesInFilter(filter), ...(update["$setOnInsert"] as object | undefined) };
  const { _id = newId(), ...$set } = given;
  const document: DocumentFields = { _id };
  applyUpdate(document, { $set });
  applyUpdate(document, update);
  return document;
}

function updateTypeError(operator: string, path: string, found: unknown): UpdateTypeError {
  return new UpdateTypeError(
    `${operator} can't be applied to ${path}: ${Array.isArray(found) ? "an array" : typeof found}`,
  );
}
