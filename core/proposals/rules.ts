/** What can become of a proposal, and who decides. No zod in here: browsers load it. */
import type { Actor, SopFacts } from "../permissions/actor.ts";
import { can, seesAllLatest, visibleVersion } from "../permissions/can.ts";

/** Where a proposed text came from: a push by git, or a mirror of the repository. */
export const proposalSources = ["push", "mirror"] as const;
export type ProposalSource = (typeof proposalSources)[number];

/** `text`: a text that becomes a draft; `archive`: the pushed commit deleted the SOP's file. */
export const proposalKinds = ["text", "archive"] as const;
export type ProposalKind = (typeof proposalKinds)[number];

export const proposalStates = ["open", "accepted", "merged", "dismissed", "superseded"] as const;
export type ProposalState = (typeof proposalStates)[number];

/** `supersede`: its author sent a later text of the same SOP. */
export const proposalMoves = ["accept", "merge", "dismiss", "supersede"] as const;
export type ProposalMove = (typeof proposalMoves)[number];

/** The state table: every other state is final. */
const fromOpen: Record<ProposalMove, ProposalState> = {
  accept: "accepted",
  merge: "merged",
  dismiss: "dismissed",
  supersede: "superseded",
};

/** @returns the next state; null if the state has no such move */
export function nextState(state: "open", move: ProposalMove): ProposalState;
export function nextState(state: ProposalState, move: ProposalMove): ProposalState | null;
export function nextState(state: ProposalState, move: ProposalMove): ProposalState | null {
  return state === "open" ? fromOpen[move] : null;
}

export interface ProposalFacts {
  companyId: string;
  authorId: string;
  /** Absent: a text. */
  kind?: ProposalKind;
}

/** May this actor propose a change to an SOP that it can't change itself? To write SOPs and to see this one is enough. */
export function mayPropose(actor: Actor, sop: SopFacts): boolean {
  return can(actor, "sop.create") && visibleVersion(actor, sop) !== "nothing";
}

/**
 * May this actor accept, merge and dismiss? Those who can edit the SOP, or archive it. A new SOP would be a draft: those
 * who write SOPs and see all drafts decide.
 * @param sop null: the proposal is for a new SOP
 */
export function mayDecideProposal(actor: Actor, { companyId, kind }: ProposalFacts, sop: SopFacts | null): boolean {
  if (companyId !== actor.companyId) return false;
  if (sop === null) return can(actor, "sop.create") && seesAllLatest(actor);
  return can(actor, kind === "archive" ? "sop.archive" : "sop.edit", sop);
}

/**
 * Authors see their own text, also after they lost access to the SOP. A proposal to archive has the SOP's text: its
 * author sees it only while they see the SOP.
 * @param sop null: the proposal is for a new SOP, or the record of its SOP is gone
 */
export function maySeeProposal(actor: Actor, proposal: ProposalFacts, sop: SopFacts | null): boolean {
  const { companyId, authorId, kind } = proposal;
  if (companyId !== actor.companyId) return false;
  if (mayDecideProposal(actor, proposal, sop)) return true;
  if (authorId !== actor.userId) return false;
  return kind !== "archive" || (sop !== null && visibleVersion(actor, sop) !== "nothing");
}

/** Authors can take their own back. */
export const mayDismissProposal = maySeeProposal;
