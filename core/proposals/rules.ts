/** The states of a proposal, and who decides about it. Browsers load this file, so it has no zod. */
import type { Actor, SopFacts } from "../permissions/actor.ts";
import { can, canSeeUnrestrictedLatestVersions, visibleVersion } from "../permissions/can.ts";

/** The source of a proposed text: a push by git, or a mirror of the repository. */
export const proposalSources = ["push", "mirror"] as const;
export type ProposalSource = (typeof proposalSources)[number];

/** `text`: a text that becomes a draft; `archive`: the pushed commit deleted the SOP's file. */
export const proposalKinds = ["text", "archive"] as const;
export type ProposalKind = (typeof proposalKinds)[number];

export const proposalStates = ["open", "accepted", "merged", "dismissed", "superseded"] as const;
export type ProposalState = (typeof proposalStates)[number];

/** `supersede`: the author sent a later text for the same SOP. */
export const proposalMoves = ["accept", "merge", "dismiss", "supersede"] as const;
export type ProposalMove = (typeof proposalMoves)[number];

/** The state table: every state except `open` is final. */
const fromOpen: Record<ProposalMove, ProposalState> = {
  accept: "accepted",
  merge: "merged",
  dismiss: "dismissed",
  supersede: "superseded",
};

/** @returns the next state; null if the move is not possible in this state */
export function nextProposalState(state: "open", move: ProposalMove): ProposalState;
export function nextProposalState(state: ProposalState, move: ProposalMove): ProposalState | null;
export function nextProposalState(state: ProposalState, move: ProposalMove): ProposalState | null {
  return state === "open" ? fromOpen[move] : null;
}

export interface ProposalFacts {
  companyId: string;
  authorId: string;
  /** Absent for a text. */
  kind?: ProposalKind;
}

/**
 * Tells whether a user can propose a change to an SOP: users who can create SOPs and see this one. The permission to
 * edit it is not needed.
 */
export function mayPropose(actor: Actor, sop: SopFacts): boolean {
  return can(actor, "sop.create") && visibleVersion(actor, sop) !== "nothing";
}

/**
 * Tells whether a user can accept, merge and dismiss a proposal: users who can edit the SOP, or archive it for a
 * proposal to archive. A new SOP would become a draft, so users who can create SOPs and see all drafts decide.
 * @param sop null: the proposal is for a new SOP
 */
export function mayDecideProposal(actor: Actor, { companyId, kind }: ProposalFacts, sop: SopFacts | null): boolean {
  if (companyId !== actor.companyId) return false;
  if (sop === null) return can(actor, "sop.create") && canSeeUnrestrictedLatestVersions(actor);
  return can(actor, kind === "archive" ? "sop.archive" : "sop.edit", sop);
}

/**
 * Tells whether a user can see a proposal. Authors see their own text, even after they lost access to the SOP. A
 * proposal to archive contains the SOP's text, so its author only sees it while having access to the SOP.
 * @param sop null: the proposal is for a new SOP, or its SOP no longer exists
 */
export function maySeeProposal(actor: Actor, proposal: ProposalFacts, sop: SopFacts | null): boolean {
  const { companyId, authorId, kind } = proposal;
  if (companyId !== actor.companyId) return false;
  if (mayDecideProposal(actor, proposal, sop)) return true;
  if (authorId !== actor.userId) return false;
  return kind !== "archive" || (sop !== null && visibleVersion(actor, sop) !== "nothing");
}

/** Users who can see a proposal can dismiss it: its author, and users who decide about it. */
export const mayDismissProposal = maySeeProposal;
