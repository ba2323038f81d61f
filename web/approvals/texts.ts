import { catalog } from "#core/language/catalog.ts";
import type { ApprovalOutcome, IneligibleReason, RuleOfSop } from "#core/approvals/rules.ts";

export const texts = catalog("approvals", {
  heading: "Approval",
  loading: "Loading the approval…",
  statusFailed: "Failed to fetch approval status",
  error: "Error",
  submit: "Submit for Approval",
  submitText: "Approvers will decide on this exact version.",
  submitAgainText: "This version was submitted but not approved. Edit it, or submit it again.",
  requestLost: "The approval request is lost. Submit this version again, or edit it.",
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
    approve: "Approve version {version}",
    reject: "Reject version {version}",
    requestChanges: "Request changes to version {version}",
  },
  readsComment: "will see this comment.",
  noReason: "Without a reason, the author won't know what to fix.",
  rejectMute: "Reject without a reason",
  approveAsk: "Approve this SOP?",
  rejectAsk: "Reject this SOP?",
  changesAsk: "Request changes to this SOP?",
  otherVersion: "You see version {shown}. The request is for version {requested}.",
  cardVersion: "This card showed version {shown}. The request is for version {requested}.",
  versionLoading: "Loading version {version}…",
  versionFailed: "Couldn't load version {version}. You can decide once you can read it.",
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
  invited: "{email} can approve once they have joined.",
  invitedMore:
    "{email} and {others, plural, one {# invited person} other {# invited people}} can approve once they have joined.",
  invitedOthers: "{others, plural, one {# invited person} other {# invited people}} can approve once they have joined.",
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
  unavailable: "{names} can't approve anymore",
  unavailableReplace: "To ask someone else, use Replace in the timeline, or withdraw the request.",
  unavailableTell: "{requester} or a manager can ask someone else.",
  earlier: "Earlier requests",
  show: "Show",
  showLabel: "Show how it was approved",
  hide: "Hide",
  hideLabel: "Hide how it was approved",
  lastRequest: "Last request",
  timeline: "Approval timeline",
  youDecide: "You decide",
  published: "Then published",
  publishedOn: "Takes effect {day}",
  readerChanges: "What changes for readers",
  noLongerYours: "This SOP no longer needs your decision.",
  textGone: "You no longer see version {version}.",
  stillHere: "Not sent. Your comment is still here.",
  notSent: "Nothing was sent",
  closed: "The request for {title} ended before you answered.",
  noAnswer: "The server didn't respond. Try again.",
  cancel: "Cancel",
  hasntDecided: "{user} hasn't decided yet. Your choice takes their place.",
  titleAndVersion: "{title}, version {version}",
  version: "Version {version}",
  becomesDraft: "Version {version} becomes a draft, even if other approvers approve.",
  lastApproval: "You approve version {version} as shown. Yours is the last approval, so it will be published.",
  oneApproval: "You approve version {version} as shown. It will be published once enough people approve.",
  selected: "{count, number} selected",
});

/** Texts of the Submit dialog when the SOP has changed since the dialog opened. */
export const newerVersionTexts = catalog("approvals.newer", {
  title: "{name} saved version {version}",
  outdated: "Not submitted. There's a newer version than {version}, and approvers decide on the newest.",
  nothing: "Version {version} is {status}, so there's nothing to submit.",
  submit: "Submit version {version} instead",
  look: "See what changed",
  hide: "Hide what changed",
});

/** Texts of the edit screen's workflow panel. */
export const editTexts = catalog("approvals.edit", {
  endsReview: "Saving changes ends this review.",
  toApproval: "Read the approval",
});

export const outcomeTexts = catalog("approvals.outcome", {
  approved: "Approved",
  rejected: "Rejected",
  changes_requested: "Changes requested",
  withdrawn: "Request withdrawn",
  voided: "Canceled because the SOP was edited",
}) satisfies Record<ApprovalOutcome, string>;

/** Headings of the groups of people who can or can't be chosen. */
export const approverGroupTexts = catalog("approvals.group", {
  usual: "Managers, reviewers and administrators",
  others: "Others who can approve",
  unable: "Authors of this draft",
});

/** Why people with the permission can't approve this draft. */
export const ineligibleReasonTexts: Partial<Record<IneligibleReason, string>> = catalog("approvals.reason", {
  requester: "Asks for approval",
  writer: "Wrote part of this draft",
});

const approvalRuleTexts = catalog("approvals.rule-line", {
  company: "Company rule",
  of: "Rule of {category}",
  any: "{whose}: one approval is enough.",
  all: "{whose}: everyone you choose must approve.",
  some: "{whose}: {count, plural, one {# approval is} other {# approvals are}} needed.",
});

/** The approval rule in words, before approvers are chosen. */
export function approvalRuleTextBeforeChoice({
  rule,
  category,
  approversNeeded,
}: RuleOfSop & { approversNeeded: number }): string {
  const whose = category === null ? approvalRuleTexts.company : approvalRuleTexts.of({ category });
  if (rule.kind === "n_of_m") return approvalRuleTexts.some({ whose, count: approversNeeded });
  return approvalRuleTexts[rule.kind]({ whose });
}

/** Texts of /pending. */
export const pendingTexts = catalog("approvals.pending", {
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
  place: "{at} of {of, number} waiting for you",
  tabs: "What to show of this SOP",
  changes: "Changes",
  whole: "Whole text",
  comments: "Comments",
  commentsFailed: "Couldn't load the comments.",
  noComments: "No comments yet",
  textFailed: "Couldn't load version {version}.",
  first: "No published version to compare with.",
  version: "{number} · version {version}",
});
