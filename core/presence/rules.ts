/** Decides how long the report of an edit screen counts, and who sees which users are editing. */
import type { Actor, SopFacts } from "../permissions/actor.ts";
import { can, visibleVersion } from "../permissions/can.ts";

/** The state of an edit screen in a browser tab: visible, hidden, or closed. */
export const presenceStates = ["here", "hidden", "gone"] as const;
export type PresenceState = (typeof presenceStates)[number];

/** The time in ms after which a tab repeats its report. */
export const presenceIntervalMs = 20_000;

/**
 * The time in ms for which a report counts, with room for a late one. Browsers let hidden pages run code only once a
 * minute.
 */
export const presenceLifetimeMs: Readonly<Record<Exclude<PresenceState, "gone">, number>> = {
  here: 35_000,
  hidden: 150_000,
};

/** After this time in ms without typing or moving the pointer, a user with an open edit screen counts as away. */
export const presenceIdleMs = 10 * 60_000;

/** The maximum number of reported edit screens for one user. Further ones aren't reported. */
export const maxPresencesPerUser = 20;

/**
 * Tells whether a user sees who is editing. Editing reveals a coming draft, so readers without access to the latest
 * version don't see it.
 */
export function canSeePresence(actor: Actor, sop: SopFacts): boolean {
  return visibleVersion(actor, sop) === "latest";
}

/** Tells whether a user can be shown as editing: only users who can change the text. */
export function canBeShownAsEditing(actor: Actor, sop: SopFacts): boolean {
  return can(actor, "sop.edit", sop);
}
