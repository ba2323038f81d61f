/** Which SOPs an actor's lists hold, as index-served queries: `visibleVersion` of core, turned into filters. */
import type { Actor } from "#core/access/actor.ts";
import { passesRestrictions, seesAllHeads, visibleVersion } from "#core/access/can.ts";
import type { SopDocument } from "../database/documents.ts";
import type { Filter } from "../database/port.ts";

/** One sorted stream of a list: its rows show the head, or the version in force. Streams of an actor don't overlap. */
export interface Scope {
  view: "head" | "effective";
  filter: Filter;
}

function unrestricted(actor: Actor): Filter {
  return passesRestrictions(actor) ? {} : { $or: [{ restricted: false }, { ownerId: actor.userId }] };
}

/** What the actor wrote or owns: everybody sees the head of that. */
export function ownScopes(actor: Actor): Scope[] {
  const { userId } = actor;
  return [
    // an author who gave a restricted SOP away sees it no more: only its owner passes
    { view: "head", filter: { authorId: userId, ...unrestricted(actor) } },
    { view: "head", filter: { ownerId: userId, authorId: { $ne: userId } } },
  ];
}

export function scopesOf(actor: Actor): Scope[] {
  if (seesAllHeads(actor)) return [{ view: "head", filter: unrestricted(actor) }];
  const { userId, teamIds } = actor;
  const notMine = { authorId: { $ne: userId }, ownerId: { $ne: userId } };
  const inTeam = actor.role !== "viewer" && teamIds.length > 0;
  const notMyTeams = inTeam ? { teamId: { $nin: [...teamIds] } } : {};
  const reviews = actor.role === "reviewer";
  const notInReview = reviews ? { status: { $ne: "under_review" } } : {};
  return [
    ...ownScopes(actor),
    ...(inTeam
      ? [{ view: "head" as const, filter: { ...notMine, teamId: { $in: [...teamIds] }, restricted: false } }]
      : []),
    ...(reviews
      ? [{ view: "head" as const, filter: { ...notMine, ...notMyTeams, status: "under_review", restricted: false } }]
      : []),
    { view: "effective", filter: { ...notMine, ...notMyTeams, ...notInReview, restricted: false, hasForce: true } },
  ];
}

/** What the actor sees of one SOP; the same decision, on a document. */
export function viewOf(actor: Actor, sop: SopDocument): "head" | "effective" | "nothing" {
  return visibleVersion(actor, sop);
}
