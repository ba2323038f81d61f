/** Who is editing an SOP right now: how long a word of it holds, and who hears of it. */
import type { Actor, SopFacts } from "../access/actor.ts";
import { can, visibleVersion } from "../access/can.ts";

/** What a tab says of its edit screen: open in front of its user, open behind something else, closed. */
export const presenceStates = ["here", "hidden", "gone"] as const;
export type PresenceState = (typeof presenceStates)[number];

/** A tab says again that it is there this often (ms). */
export const presenceEveryMs = 20_000;

/** So long a tab's word holds (ms): one that comes late is forgiven. Browsers let hidden pages speak once a minute only. */
export const presenceHoldsMs: Readonly<Record<Exclude<PresenceState, "gone">, number>> = {
  here: 35_000,
  hidden: 150_000,
};

/** Who neither types nor points for so long (ms) has left the desk: an open screen alone is no editing. */
export const presenceIdleMs = 10 * 60_000;

/** Edit screens of one user that are told of, however many are open. */
export const presencesPerUser = 20;

/** That somebody edits tells of a draft to come: who sees the head knows, who reads what is in force does not. */
export function seesPresence(actor: Actor, sop: SopFacts): boolean {
  return visibleVersion(actor, sop) === "head";
}

/** Only who may change the text is editing it. */
export function mayBePresent(actor: Actor, sop: SopFacts): boolean {
  return can(actor, "sop.edit", sop);
}
