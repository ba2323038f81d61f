/**
 * Runs aggregation pipelines. `$match $sort $limit` at the start become a find, and a bare `$count` a count. Other
 * stages run on documents in memory.
 */
import { assertSupportedPipeline } from "../check-operation.ts";
import type { Untyped, FindOptions, Projection, Sort } from "../port.ts";
import { filterPredicate } from "./match.ts";
import { sortDocuments } from "./compare.ts";
import { valueAtPath } from "./document-values.ts";
import { countDocumentsIn, findRows } from "./find.ts";
import { projectDocument } from "./projection.ts";
import type { Session } from "./session.ts";
import type { SqliteTable } from "./table.ts";

type AggregateStage = Record<string, unknown>;
/** A group in the form that `assertSupportedPipeline` allows. */
type GroupStage = { _id: string } & Record<string, { $sum: string | number }>;

export function aggregate(
  table: SqliteTable,
  session: Session,
  pipeline: readonly AggregateStage[],
): Record<string, unknown>[] {
  assertSupportedPipeline(pipeline);
  const rest = [...pipeline];
  const filter = shiftStage<Untyped>(rest, "$match") ?? {};
  if (rest.length === 1 && rest[0] && "$count" in rest[0]) {
    const n = countDocumentsIn(table, session, filter, undefined);
    return n === 0 ? [] : [{ [rest[0]["$count"] as string]: n }];
  }
  const options: FindOptions<Untyped> = {};
  const sort = shiftStage<Sort<Untyped>>(rest, "$sort");
  const limit = shiftStage<number>(rest, "$limit");
  if (sort) options.sort = sort;
  if (limit !== undefined) options.limit = limit;
  let documents: AggregateStage[] = findRows(table, session, filter, options).map(({ document }) => document);
  for (const stage of rest) documents = applyStage(documents, stage);
  return documents;
}

function shiftStage<T>(stages: AggregateStage[], name: string): T | undefined {
  if (!stages[0] || !(name in stages[0])) return undefined;
  return stages.shift()?.[name] as T;
}

function applyStage(documents: AggregateStage[], stage: AggregateStage): AggregateStage[] {
  if ("$match" in stage) return documents.filter(filterPredicate(stage["$match"] as Untyped));
  if ("$sort" in stage) return sortDocuments(documents, stage["$sort"] as Sort<Untyped>);
  if ("$limit" in stage) return documents.slice(0, stage["$limit"] as number);
  if ("$project" in stage)
    return documents.map((document) => projectDocument(document, stage["$project"] as Projection<Untyped>));
  if ("$group" in stage) return groupDocuments(documents, stage["$group"] as GroupStage);
  return documents.length === 0 ? [] : [{ [stage["$count"] as string]: documents.length }];
}

function groupDocuments(documents: readonly AggregateStage[], { _id: by, ...sums }: GroupStage): AggregateStage[] {
  const groups = new Map<string, AggregateStage>();
  for (const document of documents) {
    const _id = expressionValue(document, by) ?? null;
    const key = JSON.stringify(_id);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { _id, ...Object.fromEntries(Object.keys(sums).map((name) => [name, 0])) }));
    for (const [name, { $sum }] of Object.entries(sums)) {
      const value = expressionValue(document, $sum);
      if (typeof value === "number") group[name] = (group[name] as number) + value;
    }
  }
  return [...groups.values()];
}

/** Returns the value of an expression: a number itself, or the document's value at the path of `"$path"`. */
function expressionValue(document: AggregateStage, expression: string | number): unknown {
  return typeof expression === "string" ? valueAtPath(document, expression.slice(1)) : expression;
}
