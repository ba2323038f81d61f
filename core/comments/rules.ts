/** Access to comments: reading, writing and resolving. */
import type { Actor, SopFacts } from "../permissions/actor.ts";
import { can, mayReadVersion, visibleVersion, type VisibleVersionKind } from "../permissions/can.ts";
import type { CommentAudience } from "./schema.ts";

/**
 * Returns who sees comments on a version: all readers for the published version, and otherwise people who can see the
 * latest version.
 */
export function commentAudienceOf(version: number, { published }: Pick<SopFacts, "published">): CommentAudience {
  return version === published?.version ? "readers" : "head";
}

/** Tells whether a user sees comments for this audience, by the version of the SOP that the user can see. */
function isAudienceVisible(view: VisibleVersionKind, audience: CommentAudience): boolean {
  return view === "latest" || (view === "published" && audience === "readers");
}

function canSeeAudience(actor: Actor, sop: SopFacts, audience: CommentAudience): boolean {
  return isAudienceVisible(visibleVersion(actor, sop), audience);
}

/**
 * Tells whether a user can see a thread. Approvers without access to other drafts see only threads about the version
 * that they decide about.
 */
export function mayReadThread(
  actor: Actor,
  sop: SopFacts,
  { audience, version }: { audience: CommentAudience; version: number },
): boolean {
  return canSeeAudience(actor, sop, audience) && (audience === "readers" || mayReadVersion(actor, sop, version));
}

export interface CommentFacts {
  userId: string;
  parentId: string | null;
  removedAt: string | null;
}

/** Tells whether a user can edit a comment: only its author can. */
export function mayEditComment(actor: Actor, sop: SopFacts, comment: CommentFacts): boolean {
  return comment.removedAt === null && comment.userId === actor.userId && can(actor, "sop.comment", sop);
}

/** Tells whether a user can remove a comment: its author, and users who can publish the SOP. */
export function mayRemoveComment(actor: Actor, sop: SopFacts, comment: CommentFacts): boolean {
  return comment.removedAt === null && (comment.userId === actor.userId || can(actor, "sop.publish", sop));
}

/** Tells whether a user can resolve a thread: its author, and users who can edit the SOP. */
export function mayResolveThread(actor: Actor, sop: SopFacts, comment: CommentFacts): boolean {
  if (comment.parentId !== null) return false;
  return (comment.userId === actor.userId && can(actor, "sop.comment", sop)) || can(actor, "sop.edit", sop);
}
