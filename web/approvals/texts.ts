import type { ApprovalOutcome, IneligibleReason, RuleOfSop } from "#core/approvals/rules.ts";
import type { SopStatus } from "#core/sops/schema.ts";
import { statuses } from "../ui/StatusBadge.tsx";

export const texts = {
  heading: "Approval",
  loading: "Loading the approval…",
  statusFailed: "Failed to fetch approval status",
  error: "Error",
  submit: "Submit for Approval",
  submitText: "This draft has not been submitted. Approvers decide about exactly this version.",
  submitAgainText: "This version was submitted before and not approved. Change it, or submit it again.",
  requested: "Approval requested",
  requestedText: "The SOP has been submitted for approval.",
  requestFailed: "Failed to request approval. Please try again.",
  approve: "Approve",
  reject: "Reject",
  requestChanges: "Request changes",
  approved: "Approved",
  approvedText: "You have approved this SOP.",
  rejected: "Rejected",
  rejectedText: "You have rejected this SOP.",
  changesRequested: "Changes requested",
  changesRequestedText: "You have asked for changes to this SOP.",
  approveFailed: "Failed to approve",
  rejectFailed: "Failed to reject",
  changesFailed: "Failed to request changes",
  comment: "Comment",
  readsComment: "reads this and works by it.",
  noReason: "You give no reason: whoever wrote it can only guess what to mend.",
  rejectMute: "Reject without a reason",
  approveAsk: "Approve this SOP?",
  rejectAsk: "Reject this SOP?",
  changesAsk: "Request changes to this SOP?",
  otherVersion: (shown: number, asked: number) =>
    `This page shows version ${shown}, the request is about version ${asked}.`,
  cardVersion: (shown: number, asked: number) =>
    `This card showed version ${shown}, the request is about version ${asked}.`,
  versionLoading: (version: number) => `Version ${version} is being loaded…`,
  versionFailed: (version: number) =>
    `Version ${version} could not be loaded: you decide about it where you can read it.`,
  tryAgain: "Try Again",
  decideTitle: "Your decision",
  note: "Request note",
  noteHint: "What changed, and what the approvers should look at.",
  checks: "The checks",
  checksStop: (count: number) => `${count} of them ${count === 1 ? "stops" : "stop"} approval and publishing.`,
  seeChecks: "See them in the editor",
  approvers: "Approvers",
  approversHint: "Select at least one approver.",
  approversRead: "The people you choose can read this draft.",
  asLastTime: ", those of the last request",
  chosen: "Selected approvers",
  remove: "Remove",
  searchPeople: "Search people",
  nobodyFound: "Nobody of that name.",
  noOneLeft: "No one else can approve this SOP.",
  candidatesFailed: "The people could not be loaded.",
  candidatesLoading: "Loading people…",
  alreadyPending: "Somebody else has submitted it in the meantime.",
  withdraw: "Withdraw request",
  withdrawAsk: "Withdraw this request?",
  withdrawText: "The SOP is a draft again, and the approvers are told.",
  withdrawn: "Request withdrawn",
  withdrawnText: "The SOP is a draft again.",
  withdrawFailed: "Failed to withdraw the request",
  replace: "Replace",
  replaceTitle: "Replace an approver",
  replaceWith: "New approver",
  replaceChoose: "Choose a person",
  replaced: "Approver replaced",
  replaceFailed: "Failed to replace the approver",
  unavailable: (names: string) => `${names} can't approve anymore`,
  unavailableReplace: "Choose Replace in the timeline to ask somebody else, or withdraw the request.",
  unavailableTell: (requester: string) => `${requester}, who asked for approval, or a manager can ask somebody else.`,
  earlier: "Earlier requests",
  show: "Show",
  showLabel: "Show how it was approved",
  hide: "Hide",
  hideLabel: "Hide how it was approved",
  lastRequest: "Last request",
  timeline: "Timeline of the approval",
  now: "Now",
  readerChanges: "What changes for readers",
  noLongerYours: "This SOP no longer waits for your decision.",
  textGone: (version: number) => `The text of version ${version} is not before you any more.`,
  stillHere: "Nothing was sent; what you wrote is still here.",
  notSent: "Nothing was sent",
  closed: (title: string) => `The question about ${title} closed before you answered it.`,
  noAnswer: "The server did not answer. Please try again.",
  cancel: "Cancel",
} as const;

/** In the Submit dialog, where the SOP is not what it was when the dialog opened. */
export const newerTexts = {
  title: (name: string, version: number) => `${name} saved version ${version} meanwhile`,
  outdated: (version: number) =>
    `Nothing was submitted: approvers decide about the newest version, which is no longer version ${version}.`,
  nothing: ({ version, status }: { version: number; status: SopStatus }) =>
    `Version ${version} is ${statuses[status].label.toLowerCase()}: there is nothing to submit.`,
  submit: (version: number) => `Submit version ${version} instead`,
  look: "See what changed",
  hide: "Hide what changed",
} as const;

/** The edit screen's workflow panel. */
export const editTexts = {
  saveAndSubmit: "Save and Submit",
  savesFirst: "Your changes are saved as a draft, and that version is submitted.",
  endsReview: "Saving a change ends this review.",
  toApproval: "Read the approval",
} as const;

export const outcomeTexts: Record<ApprovalOutcome, string> = {
  approved: "Approved",
  rejected: "Rejected",
  changes_requested: "Changes requested",
  withdrawn: "Request withdrawn",
  voided: "Ended without a decision: the SOP was changed",
};

/** Headings over the people one may choose, or not. */
export const groupTexts = {
  usual: "Managers, reviewers and administrators",
  others: "Others who can approve",
  unable: "Authors of this draft",
} as const;

/** Why people who hold the permission can't approve this draft; the others aren't listed. */
export const reasonTexts: Partial<Record<IneligibleReason, string>> = {
  requester: "Asks for the approval",
  writer: "Wrote a version since the last published one",
};

/** The rule a request must meet, before its approvers are chosen. */
export function ruleLine({ rule, category, approversNeeded }: RuleOfSop & { approversNeeded: number }): string {
  const whose = category === null ? "Company rule" : `Rule of ${category}`;
  if (rule.kind === "any") return `${whose}: one approval is enough.`;
  if (rule.kind === "all") return `${whose}: everyone you choose must approve.`;
  return `${whose}: ${approversNeeded} ${approversNeeded === 1 ? "approval is" : "approvals are"} needed.`;
}

/** /pending */
export const pendingTexts = {
  heading: "Pending Approval",
  subtitle: "What waits for a decision, yours first",
  actionTitle: "Action Required",
  actionText: "There are SOPs waiting for your review. Please review and approve or provide feedback.",
  search: "Search pending approvals...",
  list: "Pending SOPs",
  mine: "Waiting for you",
  others: "Also under review",
  othersAlone: "Under review",
  ended: "This request has ended",
  endedHint: "Your notifications say who ended it, and how.",
  outOfSight: "It is a draft again, and drafts are for those who work on them.",
  details: "Approval details",
  select: "Select an SOP to view approval details",
  empty: "No pending approvals",
  emptyHint: "When somebody submits an SOP for approval it appears here.",
  noMatch: "No SOPs found",
  noMatchHint: "Nothing that is pending matches this search.",
  failed: "Failed to load SOPs",
  loading: "Loading pending approvals",
  back: "All pending approvals",
  read: "Read the SOP",
  changes: "Changes",
  textFailed: (version: number) => `The text of version ${version} could not be loaded.`,
  first: "There is no published version to compare it with.",
} as const;
