/** Applies the filters of a list query to each scope of the actor. */
import type { Actor } from "#core/permissions/actor.ts";
import type { Clock } from "#core/clock.ts";
import { dayAfterDays, dueWithinDays } from "#core/periodic-review/rules.ts";
import type { SopQuery } from "#core/sops/list-schema.ts";
import type { SopDocument, SopSummary } from "../../database/documents.ts";
import { atPath, type Filter, type Path } from "../../database/port.ts";
import { ownScopes, visibleScopes, type VisibleScope } from "./visible.ts";

const dayMs = 24 * 3600 * 1000;
const rangeDays = { "7d": 7, "30d": 30, "3m": 91 } as const;

/** A scope with the query's filter, and the field that sorts its rows. */
export interface SopStream {
  view: VisibleScope["view"];
  filter: Filter<SopDocument>;
  time: Extract<Path<SopDocument>, "updatedAt" | "published.updatedAt">;
}

/** The filters of a list or of a search. */
export type ListFilters = Pick<
  SopQuery,
  "category" | "status" | "tag" | "owner" | "team" | "lang" | "time" | "template" | "mine" | "review"
> & {
  /** The wanted category and its children; absent: only the wanted category. */
  categories?: readonly string[];
};

/** The ids of SOPs by the searched version: the latest or the published one. */
export interface IdsByView {
  latest: readonly string[];
  published: readonly string[];
}

/** Returns a stream for each of the actor's scopes that can have SOPs of the query. An SOP is in a single stream. */
export function visibleStreams(actor: Actor, query: ListFilters, clock: Clock, found?: IdsByView | null): SopStream[] {
  const scopes = query.mine === "true" ? ownScopes(actor) : visibleScopes(actor);
  // each category is a stream, because indexes sort within one category
  const categories = query.categories ?? [query.category];
  return scopes.flatMap((scope) => {
    const ids = found?.[scope.view];
    if (ids?.length === 0) return [];
    return categories.flatMap((category) => {
      const filter = filterOfScope(scope, { ...query, category }, clock, ids);
      return filter ? [{ view: scope.view, filter, time: timeField(scope) }] : [];
    });
  });
}

function timeField(scope: VisibleScope): SopStream["time"] {
  return scope.view === "latest" ? "updatedAt" : "published.updatedAt";
}

/**
 * Returns the filter of the scope and the query, on the fields that the version of this scope shows. Returns null when
 * the scope can't match the query.
 */
function filterOfScope(
  scope: VisibleScope,
  query: ListFilters,
  clock: Clock,
  ids?: readonly string[],
): Filter<SopDocument> | null {
  const status = statusFilter(scope, query.status ?? "all");
  if (!status) return null;
  const fieldPath = <Name extends keyof SopSummary | "categoryId">(name: Name) =>
    scope.view === "latest" ? name : (`published.${name}` as const);
  const plain: Filter<SopDocument> = { ...status };
  if (query.category !== undefined && query.category !== "all") {
    plain[fieldPath("categoryId")] = query.category === "none" ? null : query.category;
  }
  for (const [name, wanted] of [
    ["ownerId", query.owner],
    ["teamId", query.team],
  ] as const) {
    if (wanted !== undefined) plain[fieldPath(name)] = wanted === "none" ? null : wanted;
  }
  if (query.tag !== undefined) plain[fieldPath("tags")] = query.tag;
  if (query.review === "due") Object.assign(plain, dueForReviewFilter(clock.now()));
  if (query.template !== undefined) plain[fieldPath("isTemplate")] = query.template === "true";
  // in an $or, the conditions don't make the database use an index for them
  const parts: Filter<SopDocument>[] = [scope.filter, scope.narrow ? { $or: [plain] } : plain];
  if (query.lang !== undefined) {
    // the range includes regional forms of the language: `de-AT` is between `de-` and `de.`
    const regions = atPath(fieldPath("lang"), { $gt: `${query.lang}-`, $lt: `${query.lang}.` });
    parts.push({ $or: [atPath(fieldPath("lang"), query.lang), regions] });
  }
  if (query.time !== undefined && query.time !== "anytime") {
    const since = new Date(clock.millis() - rangeDays[query.time] * dayMs).toISOString();
    parts.push(atPath(timeField(scope), { $gte: since }));
  }
  if (ids) parts.push({ _id: { $in: [...ids] } });
  return Object.assign({}, ...mergeFilters(parts)) as Filter<SopDocument>;
}

/**
 * Returns the filter for a review that is due. Uses the published version, so that a draft with a new date doesn't
 * postpone its review.
 */
function dueForReviewFilter(now: string): Filter<SopDocument> {
  return { hasPublished: true, "published.reviewBy": { $gt: "", $lte: dayAfterDays(now, dueWithinDays) } };
}

/**
 * Joins conditions on different fields into a flat filter, for which databases use indexes best. Conditions on the same
 * field go under $and.
 */
function mergeFilters(parts: readonly Filter<SopDocument>[]): Filter<SopDocument>[] {
  const flat: Filter<SopDocument> = {};
  const rest: Filter<SopDocument>[] = [];
  for (const part of parts) {
    if (Object.keys(part).some((key) => Object.hasOwn(flat, key))) rest.push(part);
    else Object.assign(flat, part);
  }
  return rest.length > 0 ? [flat, { $and: rest }] : [flat];
}

/**
 * Returns the filter for a status. Lists leave archived SOPs out unless the query wants them. A published SOP whose
 * latest version is a draft, or is scheduled, matches both statuses.
 */
function statusFilter(scope: VisibleScope, status: NonNullable<SopQuery["status"]>): Filter<SopDocument> | null {
  if (scope.view === "published") return status === "all" || status === "published" ? { hasPublished: true } : null;
  switch (status) {
    case "all":
      return { live: true };
    case "published":
      // the filter names the first flag too, because the index is on it
      return { matchesPublished: true, hasPublished: true };
    case "scheduled":
      return { matchesPublished: true, status: "published", "scheduled.effectiveAt": { $gt: "" } };
    default:
      return { deletedAt: null, status };
  }
}
