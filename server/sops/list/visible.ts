/** The SOPs in an actor's lists, as queries that indexes serve: `visibleVersion` of core, turned into filters. */
import type { Actor } from "#core/permissions/actor.ts";
import {
  canPassRestrictions,
  canSeeAllLatest,
  canSeeLatestInReview,
  canSeeOnlyPublished,
  canSeeTeamLatest,
  canWorkOnPublished,
} from "#core/permissions/can.ts";
import type { SopDocument } from "../../database/documents.ts";
import type { Filter } from "../../database/port.ts";
import { granteeKeysOf } from "#core/permissions/grantees.ts";

export type View = "latest" | "published";

/** A row of a list, with the version that its reader sees. */
export interface ListedSop {
  sop: SopDocument;
  view: View;
}

/** A sorted stream of a list: its rows show the latest or the published version. An actor's streams don't overlap. */
export interface VisibleScope {
  view: View;
  filter: Filter<SopDocument>;
  /** True if the scope has an index that finds few SOPs. Other filters must not lead the database to a wider index. */
  narrow?: true;
}

const narrow = true;

function sharedWithFilter(actor: Actor): Filter<SopDocument> {
  return { grantees: { $in: granteeKeysOf(actor) } };
}

function unrestrictedFilter(actor: Actor): Filter<SopDocument> {
  if (canPassRestrictions(actor)) return {};
  return { $or: [{ restricted: false }, { ownerId: actor.userId }, sharedWithFilter(actor)] };
}

/** SOPs that the actor wrote or owns. Shows their latest version, unless the actor can only see published ones. */
export function ownScopes(actor: Actor): VisibleScope[] {
  const { userId } = actor;
  const view = canSeeOnlyPublished(actor) ? "published" : "latest";
  const shown: Filter<SopDocument> = view === "published" ? { hasPublished: { $ne: false } } : {};
  return [
    // authors who hand over a restricted SOP lose it, because only its owner and users with access see it
    { view, narrow, filter: { authorId: userId, ...shown, ...unrestrictedFilter(actor) } },
    { view, narrow, filter: { ownerId: userId, authorId: { $ne: userId }, ...shown } },
  ];
}

/** The latest versions that an actor with limited access sees, by kind. An SOP belongs to a single kind. */
function latestScopes(actor: Actor): { scopes: VisibleScope[]; rest: Filter<SopDocument> } {
  const { userId, teamIds } = actor;
  const scopes = ownScopes(actor);
  let rest: Filter<SopDocument> = { authorId: { $ne: userId }, ownerId: { $ne: userId } };
  scopes.push({ view: "latest", narrow, filter: { ...rest, ...sharedWithFilter(actor) } });
  rest = { ...rest, grantees: { $nin: granteeKeysOf(actor) }, restricted: { $ne: true } };
  if (canSeeTeamLatest(actor) && teamIds.length > 0) {
    scopes.push({ view: "latest", narrow, filter: { ...rest, teamId: { $in: [...teamIds] } } });
    rest = { ...rest, teamId: { $nin: [...teamIds] } };
  }
  if (canSeeLatestInReview(actor)) {
    scopes.push({ view: "latest", narrow, filter: { ...rest, deletedAt: null, status: "under_review" } });
    rest = { ...rest, status: { $ne: "under_review" } };
  }
  return { scopes, rest };
}

export function visibleScopes(actor: Actor): VisibleScope[] {
  if (canSeeOnlyPublished(actor))
    return [{ view: "published", filter: { hasPublished: true, ...unrestrictedFilter(actor) } }];
  if (canSeeAllLatest(actor)) return [{ view: "latest", filter: unrestrictedFilter(actor) }];
  const { scopes, rest } = latestScopes(actor);
  const view = canWorkOnPublished(actor) ? "latest" : "published";
  return [...scopes, { view, filter: { ...rest, hasPublished: true } }];
}

/** The restricted SOPs that the actor sees, each once. The company's counters leave them out. */
export function restrictedScopes(actor: Actor): Filter<SopDocument>[] {
  if (canPassRestrictions(actor)) return [{ restricted: true }];
  const { userId } = actor;
  return [
    { restricted: true, ownerId: userId },
    { restricted: true, ownerId: { $ne: userId }, ...sharedWithFilter(actor) },
  ];
}

/** Unrestricted SOPs whose latest version a limited actor sees although it isn't published, each once. */
export function latestBesidePublished(actor: Actor): Filter<SopDocument>[] {
  if (canSeeOnlyPublished(actor) || canSeeAllLatest(actor)) return [];
  const { scopes } = latestScopes(actor);
  return scopes.map(({ filter: { $or: _unrestricted, ...filter } }) => ({ ...filter, restricted: { $ne: true } }));
}
