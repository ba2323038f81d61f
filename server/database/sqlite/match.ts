/** Matches one document against a filter as MongoDB does, for filters that SQL can't express (docs/decisions/0035). */
import { isScalar } from "../check-operation.ts";
import type { Untyped } from "../port.ts";
import { compareValues } from "./compare.ts";
import { valuesAt } from "./document-values.ts";

export type Predicate = (document: object) => boolean;

/**
 * Creates the predicate that says whether a document matches the filter.
 * @param filter a filter that passed `assertSupportedFilter`
 */
export function filterPredicate(filter: Untyped): Predicate {
  const parts = Object.entries(filter).map(([key, condition]): Predicate => {
    if (key === "$and") return everyPredicate((condition as Untyped[]).map(filterPredicate));
    if (key === "$or") return somePredicate((condition as Untyped[]).map(filterPredicate));
    if (key === "$nor") return negatePredicate(somePredicate((condition as Untyped[]).map(filterPredicate)));
    return pathPredicate(key, condition);
  });
  return everyPredicate(parts);
}

const everyPredicate = (parts: readonly Predicate[]): Predicate => {
  const [only] = parts;
  return parts.length === 1 && only ? only : (document) => parts.every((part) => part(document));
};
const somePredicate =
  (parts: readonly Predicate[]): Predicate =>
  (document) =>
    parts.some((part) => part(document));
const negatePredicate =
  (part: Predicate): Predicate =>
  (document) =>
    !part(document);

function pathPredicate(path: string, condition: unknown): Predicate {
  if (isScalar(condition)) return anyValuePredicate(path, operatorTest("$eq", condition));
  return everyPredicate(
    Object.entries(condition as Untyped).map(([operator, operand]): Predicate => {
      if (operator === "$ne") return negatePredicate(anyValuePredicate(path, operatorTest("$eq", operand)));
      if (operator === "$nin") return negatePredicate(anyValuePredicate(path, operatorTest("$in", operand)));
      if (operator === "$exists") {
        const hasValue: Predicate = (document) => valuesAt(document, path).some((value) => value !== undefined);
        return operand === true ? hasValue : negatePredicate(hasValue);
      }
      if (operator === "$elemMatch") return anyElementPredicate(path, operand as Untyped);
      return anyValuePredicate(path, operatorTest(operator, operand));
    }),
  );
}

/** Creates a predicate that tests the value at a path and, if that is an array, each of its elements. */
function anyValuePredicate(path: string, test: (value: unknown) => boolean): Predicate {
  if (!path.includes(".")) return (document) => matchesAny((document as Record<string, unknown>)[path], test);
  return (document) => valuesAt(document, path).some((value) => matchesAny(value, test));
}

function matchesAny(value: unknown, test: (value: unknown) => boolean): boolean {
  return test(value) || (Array.isArray(value) && value.some((element) => test(element ?? null)));
}

function anyElementPredicate(path: string, criteria: Untyped): Predicate {
  const test = elementTest(criteria);
  return (document) => valuesAt(document, path).some((value) => Array.isArray(value) && value.some(test));
}

/**
 * Creates a test of an array's element as a whole. Operators inside `$elemMatch` don't look into an element that is an
 * array.
 */
function elementTest(criteria: Untyped): (element: unknown) => boolean {
  const tests = Object.entries(criteria).map(([operator, operand]): ((element: unknown) => boolean) => {
    if (operator === "$ne") return (element) => !operatorTest("$eq", operand)(element);
    if (operator === "$nin") return (element) => !operatorTest("$in", operand)(element);
    return operatorTest(operator, operand);
  });
  return (element) => tests.every((test) => test(element));
}

function operatorTest(operator: string, operand: unknown): (value: unknown) => boolean {
  if (operator === "$eq") return (value) => equalsScalar(value, operand);
  if (operator === "$in") return (value) => (operand as unknown[]).some((option) => equalsScalar(value, option));
  if (operand === null) return operator === "$gte" || operator === "$lte" ? (value) => value == null : () => false;
  const holds = comparisons[operator] as (order: number) => boolean;
  return (value) => typeof value === typeof operand && holds(compareValues(value, operand));
}

const comparisons: Record<string, (order: number) => boolean> = {
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

function equalsScalar(value: unknown, operand: unknown): boolean {
  return operand === null ? value === null || value === undefined : value === operand;
}
