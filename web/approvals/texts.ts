import type { ApprovalOutcome, IneligibleReason, RuleOfSop } from "#core/approvals/rules.ts";
import type { SopStatus } from "#core/sops/statuses.ts";
import { statuses } from "../ui/StatusBadge.tsx";

export const texts = {
  heading: "Approval",
  loading: "Loading the approval…",
  statusFailed: "Failed to fetch approval status",
  error: "Error",
  submit: "Submit for Approval",
  submitText: "Approvers will decide on this exact version.",
  submitAgainText: "This version was submitted but not approved. Edit it, or submit it again.",
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
  changesRequestedText: "You requested changes to this SOP.",
  approveFailed: "Failed to approve",
  rejectFailed: "Failed to reject",
  changesFailed: "Failed to request changes",
  comment: "Comment",
  commentOptional: "Comment (optional)",
  close: "Close",
  confirm: {
    approve: (version: number) => `Approve version ${version}`,
    reject: (version: number) => `Reject version ${version}`,
    requestChanges: (version: number) => `Request changes to version ${version}`,
  },
  readsComment: "will see this comment.",
  noReason: "Without a reason, the author won't know what to fix.",
  rejectMute: "Reject without a reason",
  approveAsk: "Approve this SOP?",
  rejectAsk: "Reject this SOP?",
  changesAsk: "Request changes to this SOP?",
  otherVersion: (shown: number, requested: number) =>
    `You see version ${shown}. The request is for version ${requested}.`,
  cardVersion: (shown: number, requested: number) =>
    `This card showed version ${shown}. The request is for version ${requested}.`,
  versionLoading: (version: number) => `Loading version ${version}…`,
  versionFailed: (version: number) => `Couldn't load version ${version}. You can decide once you can read it.`,
  tryAgain: "Try Again",
  decideTitle: "Your decision",
  note: "Request note",
  noteHint: "What changed and what to check. Readers see it beside the version.",
  approvers: "Approvers",
  approversHint: "Select at least one approver.",
  approversRead: "The people you choose can read this draft.",
  asLastTime: ", as in the last request",
  chosen: "Selected approvers",
  remove: "Remove",
  searchPeople: "Search people",
  nobodyFound: "No one found.",
  whoInvites: "Administrators can invite people.",
  settings: "Approval settings",
  /** @param others who are invited beside the first; without an address, the first is one of them */
  invited: (email: string | null, others: number) => {
    const more = `${others} invited ${others === 1 ? "person" : "people"}`;
    const who = email === null ? more : others === 0 ? email : `${email} and ${more}`;
    return `${who} can approve once they have joined.`;
  },
  invitedThen: "Your draft is saved. Submit it then.",
  noOneLeft: "No one else can approve this SOP.",
  candidatesFailed: "Couldn't load people.",
  candidatesLoading: "Loading people…",
  alreadyPending: "Someone else already submitted it.",
  withdraw: "Withdraw request",
  withdrawAsk: "Withdraw this request?",
  withdrawText: "The SOP becomes a draft. Approvers are notified.",
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
  unavailableReplace: "To ask someone else, use Replace in the timeline, or withdraw the request.",
  unavailableTell: (requester: string) => `${requester} or a manager can ask someone else.`,
  earlier: "Earlier requests",
  show: "Show",
  showLabel: "Show how it was approved",
  hide: "Hide",
  hideLabel: "Hide how it was approved",
  lastRequest: "Last request",
  timeline: "Approval timeline",
  youDecide: "You decide",
  published: "Then published",
  publishedOn: (day: string) => `Takes effect ${day}`,
  readerChanges: "What changes for readers",
  noLongerYours: "This SOP no longer needs your decision.",
  textGone: (version: number) => `You no longer see version ${version}.`,
  stillHere: "Not sent. Your comment is still here.",
  notSent: "Nothing was sent",
  closed: (title: string) => `The request for ${title} ended before you answered.`,
  noAnswer: "The server didn't respond. Try again.",
  cancel: "Cancel",
} as const;

/** In the Submit dialog, where the SOP is not what it was when the dialog opened. */
export const newerTexts = {
  title: (name: string, version: number) => `${name} saved version ${version}`,
  outdated: (version: number) =>
    `Not submitted. There's a newer version than ${version}, and approvers decide on the newest.`,
  nothing: ({ version, status }: { version: number; status: SopStatus }) =>
    `Version ${version} is ${statuses[status].label.toLowerCase()}, so there's nothing to submit.`,
  submit: (version: number) => `Submit version ${version} instead`,
  look: "See what changed",
  hide: "Hide what changed",
} as const;

/** The edit screen's workflow panel. */
export const editTexts = {
  endsReview: "Saving changes ends this review.",
  toApproval: "Read the approval",
} as const;

export const outcomeTexts: Record<ApprovalOutcome, string> = {
  approved: "Approved",
  rejected: "Rejected",
  changes_requested: "Changes requested",
  withdrawn: "Request withdrawn",
  voided: "Canceled because the SOP was edited",
};

/** Headings over the people one may choose, or not. */
export const groupTexts = {
  usual: "Managers, reviewers and administrators",
  others: "Others who can approve",
  unable: "Authors of this draft",
} as const;

/** Why people who hold the permission can't approve this draft; the others aren't listed. */
export const reasonTexts: Partial<Record<IneligibleReason, string>> = {
  requester: "Asks for approval",
  writer: "Wrote part of this draft",
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
  actionTitle: "Action Required",
  actionText: "There are SOPs waiting for your review. Please review and approve or provide feedback.",
  mine: "Waiting for you",
  others: "Waiting for others",
  ended: "This request has ended",
  outOfSight: "It's a draft again, and you can't see its drafts.",
  published: "It is published.",
  read: "Read it",
  publishedLater: "You can read it once it is published.",
  notSent: "Your comment was not sent",
  details: "Approval details",
  select: "Select an SOP to view approval details",
  empty: "No pending approvals",
  emptyHint: "SOPs submitted for approval appear here.",
  noMatch: "No SOPs found",
  noMatchHint: "No pending SOPs match your search.",
  failed: "Failed to load SOPs",
  loading: "Loading pending approvals",
  back: "All pending approvals",
  place: (at: number, of: number) => `${at} of ${of} waiting for you`,
  tabs: "What to show of this SOP",
  changes: "Changes",
  whole: "Whole text",
  comments: "Comments",
  commentsFailed: "Couldn't load the comments.",
  noComments: "No comments yet",
  textFailed: (version: number) => `Couldn't load version ${version}.`,
  first: "No published version to compare with.",
} as const;
