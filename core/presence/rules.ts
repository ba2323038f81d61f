/** The users who edit an SOP right now: how long a tab's report counts, and who sees it. */
import type { Actor, SopFacts } from "../permissions/actor.ts";
import { can, visibleVersion } from "../permissions/can.ts";

/** The state of a tab's edit screen: in front of its user, behind another window, closed. */
export const presenceStates = ["here", "hidden", "gone"] as const;
export type PresenceState = (typeof presenceStates)[number];

/** A tab says again that it is there this often (ms). */
export const presenceEveryMs = 20_000;

/** So long a tab's word holds (ms): one that comes late is forgiven. Browsers let hidden pages speak once a minute only. */
export const presenceHoldsMs: Readonly<Record<Exclude<PresenceState, "gone">, number>> = {
  here: 35_000,
  hidden: 150_000,
};

/** After this time (ms) without typing or pointing, a user has left the desk. An open screen alone is not editing. */
export const presenceIdleMs = 10 * 60_000;

/** The reported edit screens of one user; further ones aren't reported. */
export const presencesPerUser = 20;

/** Editing reveals a coming draft. So only users who see the latest version see it, not readers. */
export function seesPresence(actor: Actor, sop: SopFacts): boolean {
  return visibleVersion(actor, sop) === "latest";
}

/** Only users who can change the text can be editing it. */
export function mayBePresent(actor: Actor, sop: SopFacts): boolean {
  return can(actor, "sop.edit", sop);
}
