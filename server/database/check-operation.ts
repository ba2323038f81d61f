/** Checks operations before the engines run them, so that no operation works on only one engine. */
import type { Untyped } from "./port.ts";

const comparisons = new Set(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]);
const updateOperators = new Set(["$set", "$unset", "$inc", "$pull", "$addToSet", "$setOnInsert", "$max"]);
const stages = new Set(["$match", "$sort", "$limit", "$project", "$group", "$count"]);

/**
 * The operation uses something that the storage port doesn't define. This is a programming error: input that passed its
 * schema never causes it.
 */
export class UnsupportedOperationError extends Error {
  constructor(what: string) {
    super(`the storage port does not support ${what}`);
    this.name = "UnsupportedOperationError";
  }
}

/** An update doesn't fit the type of the stored value, so the whole update is refused. */
export class UpdateTypeError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "UpdateTypeError";
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

export function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/**
 * Checks a filter.
 * @throws UnsupportedOperationError for an unknown operator, a non-scalar operand, or `undefined` (which would widen
 * the query)
 */
export function assertSupportedFilter(filter: Untyped): void {
  for (const [key, condition] of Object.entries(filter)) {
    if (key === "$and" || key === "$or" || key === "$nor") {
      if (!Array.isArray(condition) || condition.length === 0) throw new UnsupportedOperationError(`an empty ${key}`);
      condition.forEach(assertSupportedFilter);
    } else if (key.startsWith("$")) throw new UnsupportedOperationError(`${key} in a filter`);
    else assertSupportedCondition(key, condition);
  }
}

function assertSupportedCondition(path: string, condition: unknown): void {
  if (isScalar(condition)) return;
  if (!isPlainObject(condition)) throw new UnsupportedOperationError(`${String(condition)} as a condition on ${path}`);
  const operators = Object.entries(condition);
  if (operators.length === 0) throw new UnsupportedOperationError(`an empty condition on ${path}`);
  for (const [operator, operand] of operators) assertSupportedOperator(path, operator, operand);
}

function assertSupportedOperator(path: string, operator: string, operand: unknown): void {
  const fits = comparisons.has(operator)
    ? isScalar(operand)
    : operator === "$in" || operator === "$nin"
      ? Array.isArray(operand) && operand.every(isScalar)
      : operator === "$exists"
        ? typeof operand === "boolean"
        : operator === "$elemMatch" && isPlainObject(operand) && !("$elemMatch" in operand || "$exists" in operand);
  if (!fits) throw new UnsupportedOperationError(`${operator}: ${JSON.stringify(operand)} on ${path}`);
  if (operator === "$elemMatch") assertSupportedCondition(path, operand);
}

/**
 * Checks an update.
 * @throws UnsupportedOperationError for a replacement document, an unknown operator, a positional path or a change of
 * `_id`
 */
export function assertSupportedUpdate(update: Untyped, binary: string | undefined): void {
  const operators = Object.entries(update);
  if (operators.length === 0) throw new UnsupportedOperationError("an empty update");
  for (const [operator, changes] of operators) {
    if (!updateOperators.has(operator) || !isPlainObject(changes))
      throw new UnsupportedOperationError(`${operator} in an update`);
    for (const [path, operand] of Object.entries(changes)) {
      assertSupportedChange(operator, path, operand);
      if (path !== binary) continue;
      const fits = operator === "$unset" || (operator.startsWith("$set") && operand instanceof Uint8Array);
      if (!fits) throw new UnsupportedOperationError(`${operator} of ${path} with what is not bytes`);
    }
  }
}

function assertSupportedChange(operator: string, path: string, operand: unknown): void {
  if (
    path === "" ||
    path.split(".").some((segment) => segment === "" || segment.startsWith("$") || /^\d+$/.test(segment))
  )
    throw new UnsupportedOperationError(`the path ${path} in an update`);
  assertJsonValue(path, operand);
  if (path === "_id" && operator !== "$setOnInsert") throw new UnsupportedOperationError("a change of _id");
  const ordered = typeof operand === "number" || typeof operand === "string";
  if (operator === "$inc" && !Number.isFinite(operand))
    throw new UnsupportedOperationError(`$inc by ${String(operand)}`);
  if (operator === "$max" && !ordered) throw new UnsupportedOperationError(`$max with ${String(operand)}`);
  if (operator === "$pull" && !isScalar(operand)) assertSupportedPull(operand);
  if (operator === "$addToSet" && isPlainObject(operand)) assertOnlyEach(operand);
}

function assertSupportedPull(operand: unknown): void {
  if (!isPlainObject(operand)) throw new UnsupportedOperationError(`$pull of ${String(operand)}`);
  assertSupportedFilter(operand);
}

function assertOnlyEach(operand: Record<string, unknown>): void {
  const modifiers = Object.keys(operand).filter((key) => key.startsWith("$"));
  if (modifiers.length === 0) return;
  if (modifiers.length > 1 || modifiers[0] !== "$each" || !Array.isArray(operand["$each"]))
    throw new UnsupportedOperationError(`$addToSet with ${modifiers.join(", ")}`);
}

/**
 * Checks a document before it is stored.
 * @throws UnsupportedOperationError for a document without a string `_id` or with values that JSON can't hold
 */
export function assertStorableDocument(document: object, binary: string | undefined): void {
  const id: unknown = (document as { _id?: unknown })._id;
  if (typeof id !== "string" || id === "") throw new UnsupportedOperationError("a document without an _id");
  for (const [name, value] of Object.entries(document)) {
    if (name.startsWith("$") || name.includes(".")) throw new UnsupportedOperationError(`a field named ${name}`);
    if (name !== binary) assertJsonValue(name, value);
    else if (value !== undefined && !(value instanceof Uint8Array))
      throw new UnsupportedOperationError(`${name} that is not bytes`);
  }
}

/** Checks that JSON can hold the value. The compiler has checked its fields. */
function assertJsonValue(name: string, value: unknown): void {
  if (value === undefined || value instanceof Uint8Array) return;
  const holds =
    typeof value === "number" ? Number.isFinite(value) : isScalar(value) || Array.isArray(value) || isJsonObject(value);
  if (!holds) throw new UnsupportedOperationError(`${String(value)} as the value of ${name}`);
}

function isJsonObject(value: unknown): boolean {
  const prototype: unknown = typeof value === "object" ? Object.getPrototypeOf(value) : undefined;
  return prototype === Object.prototype || prototype === null;
}

/** Returns the fields with the values that the filter compares them with by equality. An upsert takes these fields. */
export function equalitiesInFilter(filter: Untyped): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [key, condition] of Object.entries(filter)) {
    if (key === "$and") Object.assign(found, ...(condition as Untyped[]).map(equalitiesInFilter));
    else if (key.startsWith("$")) continue;
    else if (isScalar(condition)) found[key] = condition;
    else if (isPlainObject(condition) && "$eq" in condition) found[key] = condition["$eq"];
    else if (isPlainObject(condition) && Array.isArray(condition["$in"]) && condition["$in"].length === 1)
      found[key] = condition["$in"][0];
  }
  return found;
}

export function assertSupportedPipeline(pipeline: readonly Record<string, unknown>[]): void {
  for (const stage of pipeline) {
    const [name, operand] = Object.entries(stage)[0] ?? [];
    if (name === undefined || !stages.has(name)) throw new UnsupportedOperationError(`the stage ${String(name)}`);
    if (name === "$match") assertSupportedFilter(operand as Untyped);
    if (name === "$group") assertSupportedGroup(operand);
    if (name === "$project" && !Object.values(operand as object).every((shown) => shown === 0 || shown === 1))
      throw new UnsupportedOperationError(`$project of ${JSON.stringify(operand)}`);
  }
}

/**
 * Checks a group stage. Only a group by one field with sums of numbers is allowed, because the product needs no other.
 */
function assertSupportedGroup(operand: unknown): void {
  const { _id, ...sums } = operand as Record<string, unknown>;
  const isFieldPath = (value: unknown) => typeof value === "string" && /^\$[^$]/.test(value);
  const isSumOfNumbers = (sum: unknown) =>
    isPlainObject(sum) &&
    Object.keys(sum).join() === "$sum" &&
    (isFieldPath(sum["$sum"]) || Number.isFinite(sum["$sum"]));
  if (!isFieldPath(_id) || !Object.values(sums).every(isSumOfNumbers))
    throw new UnsupportedOperationError(`$group by ${JSON.stringify(operand)}`);
}

/** Removes fields that are `undefined`, as JSON does, so that they are absent on both engines. */
export function withoutUndefined<T extends object>(value: T): T {
  if (!Object.values(value).includes(undefined)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

/** Returns an update without its `undefined` values and without operators that are then empty. */
export function normalUpdate(update: Untyped): Untyped {
  const kept = Object.entries(update)
    .map(([operator, changes]) => [operator, isPlainObject(changes) ? withoutUndefined(changes) : changes] as const)
    .filter(([, changes]) => !isPlainObject(changes) || Object.keys(changes).length > 0);
  return Object.fromEntries(kept);
}
