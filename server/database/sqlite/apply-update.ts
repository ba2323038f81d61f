/** Updates by mingo, after the checks it leaves out: it would silently skip what MongoDB refuses. */
import { update as mingoUpdate } from "mingo";
import type { Modifier } from "mingo/updater";
import { newId } from "#core/ids.ts";
import { equalitiesOf, isPlainObject, UpdateTypeError } from "../check-operation.ts";
import type { Filter, Update } from "../port.ts";

/** Changes the document in place. @returns whether anything changed */
export function applyUpdate(document: Record<string, unknown>, update: Update): boolean {
  const { $setOnInsert: _, ...changes } = update;
  if (Object.keys(changes).length === 0) return false;
  for (const [operator, operands] of Object.entries(changes))
    for (const path of Object.keys(operands as object)) checkTarget(document, operator, path);
  return mingoUpdate(document, changes as Modifier<Record<string, unknown>>).length > 0;
}

function checkTarget(document: Record<string, unknown>, operator: string, path: string): void {
  const segments = path.split(".");
  let parent: unknown = document;
  for (const segment of segments.slice(0, -1)) {
    parent = (parent as Record<string, unknown>)[segment];
    if (parent === undefined) return;
    if (!isPlainObject(parent)) {
      if (operator === "$unset" && !Array.isArray(parent)) return;
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
