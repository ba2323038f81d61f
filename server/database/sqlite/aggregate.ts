/**
 * `$match $sort $limit` at the start of a pipeline become a find, and a bare `$count` a count. Other stages run on
 * documents.
 */
import { checkPipeline } from "../check-operation.ts";
import type { Untyped, FindOptions, Projection, Sort } from "../port.ts";
import { matcher } from "./match.ts";
import { sorted } from "./compare.ts";
import { at } from "./document-values.ts";
import { count, find } from "./find.ts";
import { project } from "./projection.ts";
import type { Session } from "./session.ts";
import type { Table } from "./table.ts";

type Stage = Record<string, unknown>;
/** A group in the form that `checkPipeline` allows. */
type Grouping = { _id: string } & Record<string, { $sum: string | number }>;

export function aggregate(table: Table, session: Session, pipeline: readonly Stage[]): Record<string, unknown>[] {
  checkPipeline(pipeline);
  const rest = [...pipeline];
  const filter = take<Untyped>(rest, "$match") ?? {};
  if (rest.length === 1 && rest[0] && "$count" in rest[0]) {
    const n = count(table, session, filter, undefined);
    return n === 0 ? [] : [{ [rest[0]["$count"] as string]: n }];
  }
  const options: FindOptions<Untyped> = {};
  const sort = take<Sort<Untyped>>(rest, "$sort");
  const limit = take<number>(rest, "$limit");
  if (sort) options.sort = sort;
  if (limit !== undefined) options.limit = limit;
  let documents: Stage[] = find(table, session, filter, options).map(({ document }) => document);
  for (const stage of rest) documents = afterStage(documents, stage);
  return documents;
}

function take<T>(stages: Stage[], name: string): T | undefined {
  if (!stages[0] || !(name in stages[0])) return undefined;
  return stages.shift()?.[name] as T;
}

function afterStage(documents: Stage[], stage: Stage): Stage[] {
  if ("$match" in stage) return documents.filter(matcher(stage["$match"] as Untyped));
  if ("$sort" in stage) return sorted(documents, stage["$sort"] as Sort<Untyped>);
  if ("$limit" in stage) return documents.slice(0, stage["$limit"] as number);
  if ("$project" in stage)
    return documents.map((document) => project(document, stage["$project"] as Projection<Untyped>));
  if ("$group" in stage) return grouped(documents, stage["$group"] as Grouping);
  return documents.length === 0 ? [] : [{ [stage["$count"] as string]: documents.length }];
}

function grouped(documents: readonly Stage[], { _id: by, ...sums }: Grouping): Stage[] {
  const groups = new Map<string, Stage>();
  for (const document of documents) {
    const _id = valueOf(document, by) ?? null;
    const key = JSON.stringify(_id);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { _id, ...Object.fromEntries(Object.keys(sums).map((name) => [name, 0])) }));
    for (const [name, { $sum }] of Object.entries(sums)) {
      const value = valueOf(document, $sum);
      if (typeof value === "number") group[name] = (group[name] as number) + value;
    }
  }
  return [...groups.values()];
}

/** The value of an expression: a number is its own value, and `"$path"` means the document's value at that path. */
function valueOf(document: Stage, expression: string | number): unknown {
  return typeof expression === "string" ? at(document, expression.slice(1)) : expression;
}
