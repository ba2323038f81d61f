/** `$match $sort $limit` at the head of a pipeline are a find; a bare `$count` is a count; mingo does the rest. */
import { Aggregator } from "mingo";
import { checkPipeline } from "../check-operation.ts";
import type { Filter, FindOptions, Sort } from "../port.ts";
import { matcher } from "./match.ts";
import { sorted } from "./compare.ts";
import { count, find } from "./find.ts";
import type { Session } from "./session.ts";
import type { Table } from "./table.ts";

type Stage = Record<string, unknown>;

export function aggregate(table: Table, session: Session, pipeline: readonly Stage[]): Record<string, unknown>[] {
  checkPipeline(pipeline);
  const rest = [...pipeline];
  const filter = take<Filter>(rest, "$match") ?? {};
  if (rest.length === 1 && rest[0] && "$count" in rest[0]) {
    const n = count(table, session, filter, undefined);
    return n === 0 ? [] : [{ [rest[0]["$count"] as string]: n }];
  }
  const options: FindOptions = {};
  const sort = take<Sort>(rest, "$sort");
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
  if ("$match" in stage) return documents.filter(matcher(stage["$match"] as Filter));
  if ("$sort" in stage) return sorted(documents, stage["$sort"] as Sort);
  return new Aggregator([stage]).run(documents) as Stage[];
}
