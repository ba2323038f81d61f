/**
 * Returns the filters for the SOPs that an actor sees in lists: `visibleVersion` of core, as queries that use indexes.
 */
import type { Actor } from "#core/permissions/actor.ts";
import {
  canReadRestrictedSops,
  canSeeUnrestrictedLatestVersions,
  canSeeLatestInReview,
  canSeeOnlyPublished,
  canSeeLatestOfOwnTeams,
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

/**
 * A part of the SOPs that an actor sees: all of them in the latest, or all in the published version. An actor's scopes
 * don't overlap.
 */
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
  if (canReadRestrictedSops(actor)) return {};
  return { $or: [{ restricted: false }, { ownerId: actor.userId }, sharedWithFilter(actor)] };
}

/**
 * Returns scopes for the SOPs that the actor wrote or owns. They show the latest version, unless the actor can only see
 * published versions.
 */
export function ownScopes(actor: Actor): VisibleScope[] {
  const { userId } = actor;
  const view = canSeeOnlyPublished(actor) ? "published" : "latest";
  const shown: Filter<SopDocument> = view === "published" ? { hasPublished: { $ne: false } } : {};
  return [
    // authors who give a restricted SOP to another owner no longer see it, because only its owner and users with access
    // do
    { view, narrow, filter: { authorId: userId, ...shown, ...unrestrictedFilter(actor) } },
    { view, narrow, filter: { ownerId: userId, authorId: { $ne: userId }, ...shown } },
  ];
}

/**
 * Returns scopes for the latest versions that an actor with limited access sees, by the reason for the access. An SOP
 * belongs to a single scope. `rest` is the filter for the SOPs of none of them.
 */
function latestScopes(actor: Actor): { scopes: VisibleScope[]; rest: Filter<SopDocument> } {
  const { userId, teamIds } = actor;
  const scopes = ownScopes(actor);
  let rest: Filter<SopDocument> = { authorId: { $ne: userId }, ownerId: { $ne: userId } };
  scopes.push({ view: "latest", narrow, filter: { ...rest, ...sharedWithFilter(actor) } });
  rest = { ...rest, grantees: { $nin: granteeKeysOf(actor) }, restricted: { $ne: true } };
  if (canSeeLatestOfOwnTeams(actor) && teamIds.length > 0) {
    scopes.push({ view: "latest", narrow, filter: { ...rest, teamId: { $in: [...teamIds] } } });
    rest = { ...rest, teamId: { $nin: [...teamIds] } };
  }
  if (canSeeLatestInReview(actor)) {
    scopes.push({ view: "latest", narrow, filter: { ...rest, deletedAt: null, status: "under_review" } });
    rest = { ...rest, status: { $ne: "under_review" } };
  }
  return { scopes, rest };
}

/** Returns scopes for all SOPs that the actor sees in lists. An SOP belongs to a single scope. */
export function visibleScopes(actor: Actor): VisibleScope[] {
  if (canSeeOnlyPublished(actor))
    return [{ view: "published", filter: { hasPublished: true, ...unrestrictedFilter(actor) } }];
  if (canSeeUnrestrictedLatestVersions(actor)) return [{ view: "latest", filter: unrestrictedFilter(actor) }];
  const { scopes, rest } = latestScopes(actor);
  const view = canWorkOnPublished(actor) ? "latest" : "published";
  return [...scopes, { view, filter: { ...rest, hasPublished: true } }];
}

/**
 * Returns filters for the restricted SOPs that the actor sees; each SOP matches one filter. The company's counters
 * leave these SOPs out.
 */
export function restrictedFilters(actor: Actor): Filter<SopDocument>[] {
  if (canReadRestrictedSops(actor)) return [{ restricted: true }];
  const { userId } = actor;
  return [
    { restricted: true, ownerId: userId },
    { restricted: true, ownerId: { $ne: userId }, ...sharedWithFilter(actor) },
  ];
}

/**
 * Returns filters for unrestricted SOPs without a published version whose latest version an actor with limited access
 * sees, each SOP once.
 */
export function unpublishedVisibleFilters(actor: Actor): Filter<SopDocument>[] {
  if (canSeeOnlyPublished(actor) || canSeeUnrestrictedLatestVersions(actor)) return [];
  const { scopes } = latestScopes(actor);
  return scopes.map(({ filter: { $or: _unrestricted, ...filter } }) => ({ ...filter, restricted: { $ne: true } }));
}
