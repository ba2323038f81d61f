/** The filters of a list query, applied to each scope of the actor. */
import type { Actor } from "#core/permissions/actor.ts";
import type { Clock } from "#core/clock.ts";
import { dayAfter, dueWithinDays } from "#core/periodic-review/rules.ts";
import type { SopQuery } from "#core/sops/schema.ts";
import type { Filter } from "../../database/port.ts";
import { ownScopes, scopesOf, type Scope } from "./visible.ts";

const dayMs = 24 * 3600 * 1000;
const rangeDays = { "7d": 7, "30d": 30, "3m": 91 } as const;

/** A scope plus the query's filter, and the field that sorts its rows. */
export interface Stream {
  view: Scope["view"];
  filter: Filter;
  time: string;
}

/** The filters of a list. A search takes the same ones. */
export type ListFilters = Pick<
  SopQuery,
  "category" | "status" | "tag" | "owner" | "team" | "lang" | "time" | "template" | "mine" | "review"
> & {
  /** The wanted category and those inside it. Without it: the wanted one alone. */
  categories?: readonly string[];
};

/** SOPs by the searched version: the latest or the published one. */
export interface IdsByView {
  latest: readonly string[];
  published: readonly string[];
}

/** Those of the actor's scopes that can hold any of it; they don't overlap. */
export function streamsOf(actor: Actor, query: ListFilters, clock: Clock, found?: IdsByView | null): Stream[] {
  const scopes = query.mine === "true" ? ownScopes(actor) : scopesOf(actor);
  // a stream for each category: indexes sort within one
  const categories = query.categories ?? [query.category];
  return scopes.flatMap((scope) => {
    const ids = found?.[scope.view];
    if (ids?.length === 0) return [];
    return categories.flatMap((category) => {
      const filter = filterFor(scope, { ...query, category }, clock, ids);
      return filter ? [{ view: scope.view, filter, time: timeField(scope) }] : [];
    });
  });
}

function timeField(scope: Scope): string {
  return scope.view === "latest" ? "updatedAt" : "published.updatedAt";
}

/** Narrows the scope by the query, on the fields this view shows. Null when the scope can't match the query. */
function filterFor(scope: Scope, query: ListFilters, clock: Clock, ids?: readonly string[]): Filter | null {
  const status = statusFilter(scope, query.status ?? "all");
  if (!status) return null;
  const field = (name: string) => (scope.view === "latest" ? name : `published.${name}`);
  const plain: Filter = { ...status };
  if (query.category !== undefined && query.category !== "all") {
    plain[field("categoryId")] = query.category === "none" ? null : query.category;
  }
  for (const [name, wanted] of [
    ["ownerId", query.owner],
    ["teamId", query.team],
  ] as const) {
    if (wanted !== undefined) plain[field(name)] = wanted === "none" ? null : wanted;
  }
  if (query.tag !== undefined) plain[field("tags")] = query.tag;
  if (query.review === "due") Object.assign(plain, dueForReview(clock.now()));
  if (query.template !== undefined) plain[field("isTemplate")] = query.template === "true";
  // keeps the database from using an index for this part
  const parts: Filter[] = [scope.filter, scope.narrow ? { $or: [plain] } : plain];
  if (query.lang !== undefined) {
    // with its regions: `de-AT` is between `de-` and `de.`
    const regions = { [field("lang")]: { $gt: `${query.lang}-`, $lt: `${query.lang}.` } };
    parts.push({ $or: [{ [field("lang")]: query.lang }, regions] });
  }
  if (query.time !== undefined && query.time !== "anytime") {
    const since = new Date(clock.millis() - rangeDays[query.time] * dayMs).toISOString();
    parts.push({ [timeField(scope)]: { $gte: since } });
  }
  if (ids) parts.push({ _id: { $in: [...ids] } });
  return Object.assign({}, ...mergeable(parts)) as Filter;
}

/** Uses the published version: a draft with a new date doesn't postpone its review. */
function dueForReview(now: string): Filter {
  return { hasPublished: true, "published.reviewBy": { $gt: "", $lte: dayAfter(now, dueWithinDays) } };
}

/** Parts on different fields are one flat filter, which the engines narrow best; a field named twice goes under $and. */
function mergeable(parts: readonly Filter[]): Filter[] {
  const flat: Filter = {};
  const rest: Filter[] = [];
  for (const part of parts) {
    if (Object.keys(part).some((key) => Object.hasOwn(flat, key))) rest.push(part);
    else Object.assign(flat, part);
  }
  return rest.length > 0 ? [flat, { $and: rest }] : [flat];
}

/**
 * Lists leave archived SOPs out unless the query wants them. A published SOP with a newer draft matches both statuses.
 */
function statusFilter(scope: Scope, status: NonNullable<SopQuery["status"]>): Filter | null {
  if (scope.view === "published") return status === "all" || status === "published" ? { hasPublished: true } : null;
  switch (status) {
    case "all":
      return { live: true };
    case "published":
      return { matchesPublished: true };
    default:
      return { deletedAt: null, status };
  }
}
