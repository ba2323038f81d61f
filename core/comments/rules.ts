/** Who sees a comment, and who may do what with it. */
import type { Actor, SopFacts } from "../access/actor.ts";
import { can, mayReadVersion, visibleVersion, type Visible } from "../access/can.ts";
import type { CommentAudience } from "./schema.ts";

/** A comment on the version in force is for everybody who sees the SOP, on any other for those who see the head. */
export function audienceOf(version: number, publishedVersion: number | null): CommentAudience {
  return version === publishedVersion ? "readers" : "head";
}

/** Does somebody who sees this much of an SOP see comments for this audience? */
export function hears(view: Visible, audience: CommentAudience): boolean {
  return view === "head" || (view === "effective" && audience === "readers");
}

/** May this actor see a comment for this audience on this SOP? */
export function mayHear(actor: Actor, sop: SopFacts, audience: CommentAudience): boolean {
  return hears(visibleVersion(actor, sop), audience);
}

/** May this actor see a thread? An approver who sees no draft but the one he is asked about sees none about another. */
export function mayReadThread(
  actor: Actor,
  sop: SopFacts,
  { audience, version }: { audience: CommentAudience; version: number },
): boolean {
  return mayHear(actor, sop, audience) && (audience === "readers" || mayReadVersion(actor, sop, version));
}

export interface CommentFacts {
  userId: string;
  parentId: string | null;
  removedAt: string | null;
}

/** Nobody changes what somebody else said. */
export function mayEditComment(actor: Actor, sop: SopFacts, comment: CommentFacts): boolean {
  return comment.removedAt === null && comment.userId === actor.userId && can(actor, "sop.comment", sop);
}

/** One's own; and whoever may publish the SOP keeps order below it. */
export function mayRemoveComment(actor: Actor, sop: SopFacts, comment: CommentFacts): boolean {
  return comment.removedAt === null && (comment.userId === actor.userId || can(actor, "sop.publish", sop));
}

/** Threads are closed by who opened them and by who edits the SOP. */
export function mayResolveThread(actor: Actor, sop: SopFacts, comment: CommentFacts): boolean {
  if (comment.parentId !== null) return false;
  return (comment.userId === actor.userId && can(actor, "sop.comment", sop)) || can(actor, "sop.edit", sop);
}
