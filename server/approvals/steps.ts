/** Actions on a request, as steps of its SOP. The SOP's revision puts simultaneous decisions in order. */
import { waitingApprovers, type ApprovalOutcome, type Decided, type DecisionKind } from "#core/approvals/rules.ts";
import type { NotificationKind } from "#core/notifications/kinds.ts";
import type { Approval } from "#core/repository/event.ts";
import type { ApprovalRequestDocument, ApproverDocument, Collections, SopDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { notify } from "../notifications/notify.ts";
import { settleRequests } from "../notifications/settle.ts";
import { withGrantees } from "../permissions/grantees.ts";
import { leaveReview, type Author, type Step } from "../sops/edit/steps.ts";
import { ChangedMeanwhile } from "../sops/edit/concurrent-change.ts";
import { currentIds, assertMayDecide, assertStillAble, isCurrent } from "./people.ts";

const named = (approvers: readonly ApproverDocument[]) => approvers.map(({ userId, name }) => ({ userId, name }));

/** The audit log names each use of the setting that allows self-approval. */
function selfApproval(approvers: readonly ApproverDocument[]): Record<string, unknown> {
  const own = approvers.filter(({ isOwnWork }) => isOwnWork);
  return own.length === 0 ? {} : { selfApproval: named(own) };
}

/** The `also` of a step that notifies people about the request. */
function notifying(
  author: Author,
  request: ApprovalRequestDocument,
  kind: NotificationKind,
  to: readonly (string | null)[],
  detail: Record<string, string | number | null> = {},
) {
  return (tx: Transaction<Collections>) =>
    notify(tx, {
      companyId: request.companyId,
      to: to.filter((id) => id !== null),
      kind,
      sopId: request.sopId,
      actor: author.user,
      detail: { requestId: request._id, version: request.version, ...detail },
      at: author.at,
    });
}

/** Marks notifications as read for users who no longer have to act on the request. */
function markNotificationsRead(
  tx: Transaction<Collections>,
  { companyId, _id: requestId }: ApprovalRequestDocument,
  users: readonly string[],
  at: string,
): Promise<void> {
  return settleRequests(tx, { companyId, requestId, users, at });
}

async function store(
  tx: Transaction<Collections>,
  request: ApprovalRequestDocument,
  change: Partial<ApprovalRequestDocument>,
): Promise<void> {
  const stored = await tx
    .forCompany(request.companyId)
    .collection("approval_requests")
    .updateOne({ _id: request._id, status: "pending" }, { $set: change });
  if (stored.matchedCount === 0) throw new ChangedMeanwhile();
}

export function requestStep(sop: SopDocument, author: Author, request: ApprovalRequestDocument): Step {
  const { approvers, rule, requestNote } = request;
  const notifyApprovers = notifying(author, request, "approval_requested", currentIds(approvers));
  return {
    verb: "request_approval",
    sop: withGrantees({
      ...sop,
      status: "under_review",
      requestId: request._id,
      approvers: currentIds(approvers),
      waitingFor: currentIds(approvers),
      updatedAt: author.at,
    }),
    note: requestNote,
    changes: { requestId: request._id, rule, approvers: named(approvers), ...selfApproval(approvers) },
    async also(tx) {
      await assertStillAble(tx, sop, approvers, author.at);
      await tx.forCompany(request.companyId).collection("approval_requests").insertOne(request);
      await notifyApprovers(tx);
    },
  };
}

const kinds = {
  approve: "approval_approved",
  reject: "approval_rejected",
  request_changes: "approval_changes_requested",
} as const satisfies Record<DecisionKind, NotificationKind>;

/**
 * One decision. A rejection or a request for changes makes the SOP a draft. The effect of a final approval is another
 * step.
 */
export function decisionStep(
  sop: SopDocument,
  author: Author,
  request: ApprovalRequestDocument,
  kind: DecisionKind,
  { approvers, status, outcome }: Decided<ApproverDocument>,
): Step {
  const { comment = null, isOwnWork } = approvers.find((one) => isCurrent(one) && one.userId === author.user._id) ?? {};
  const ends = status !== "pending";
  // all involved get a notification of the end; before it, only the requester gets notifications
  const to = ends ? [request.requestedBy, sop.ownerId, ...currentIds(approvers)] : [request.requestedBy];
  const waitingFor = ends ? [] : currentIds(waitingApprovers({ ...request, approvers }));
  const notifyOthers = notifying(author, request, kinds[kind], to, { outcome, left: waitingFor.length });
  return {
    verb: kind,
    sop:
      status === "rejected" ? { ...leaveReview(sop), status: "draft", updatedAt: author.at } : { ...sop, waitingFor },
    note: comment,
    changes: { requestId: request._id, outcome, ...(isOwnWork ? { selfApproval: true } : {}) },
    ...(ends ? { resolves: true as const } : {}),
    async also(tx) {
      await assertMayDecide(tx, sop, author.user._id, author.at);
      await store(tx, request, { approvers, ...progress(author.at, status, outcome, approvers) });
      await markNotificationsRead(tx, request, ends ? currentIds(approvers) : [author.user._id], author.at);
      await notifyOthers(tx);
    },
  };
}

function progress(
  at: string,
  status: ApprovalRequestDocument["status"],
  outcome: ApprovalOutcome | null,
  approvers: readonly ApproverDocument[],
): Partial<ApprovalRequestDocument> {
  if (status !== "pending") return { status, outcome, waitingFor: [], resolvedAt: at };
  const waiting = approvers.filter((one) => isCurrent(one) && one.status === "pending");
  return { waitingFor: waiting.map(({ userId }) => userId) };
}

/** The approvals of a published version, as its commit names them. */
export function approvalsIn(approvers: readonly ApproverDocument[]): Approval[] {
  return approvers
    .filter((one) => isCurrent(one) && one.status === "approved")
    .map(({ userId, name, respondedAt }) => ({ userId, name, at: respondedAt ?? "" }));
}

export function withdrawStep(
  sop: SopDocument,
  author: Author,
  request: ApprovalRequestDocument,
  comment: string | null,
): Step {
  const notifyOthers = notifying(author, request, "approval_withdrawn", [
    request.requestedBy,
    ...currentIds(request.approvers),
  ]);
  return {
    verb: "withdraw",
    sop: { ...leaveReview(sop), status: "draft", updatedAt: author.at },
    note: comment,
    changes: { requestId: request._id, outcome: "withdrawn" },
    resolves: true,
    async also(tx) {
      const endedBy = { userId: author.user._id, name: author.user.name, comment };
      const ended = progress(author.at, "rejected", "withdrawn", request.approvers);
      await store(tx, request, { ...ended, endedBy });
      await markNotificationsRead(tx, request, currentIds(request.approvers), author.at);
      await notifyOthers(tx);
    },
  };
}

/** @param approvers with the new entry beside the one it replaces */
export function replaceStep(
  sop: SopDocument,
  author: Author,
  request: ApprovalRequestDocument,
  approvers: ApproverDocument[],
  { from, to }: { from: string; to: ApproverDocument },
): Step {
  const gone = request.approvers.find(({ userId }) => userId === from);
  const [tellNew, tellOld] = [
    notifying(author, request, "approval_requested", [to.userId]),
    notifying(author, request, "approver_replaced", [from]),
  ];
  return {
    verb: "replace_approver",
    sop: withGrantees({
      ...sop,
      approvers: currentIds(approvers),
      waitingFor: currentIds(waitingApprovers({ ...request, approvers })),
    }),
    changes: {
      requestId: request._id,
      approver: { from: { userId: from, name: gone?.name ?? "" }, to: { userId: to.userId, name: to.name } },
      ...selfApproval([to]),
    },
    async also(tx) {
      await assertStillAble(tx, sop, [to], author.at);
      await store(tx, request, { approvers, ...progress(author.at, "pending", null, approvers) });
      await markNotificationsRead(tx, request, [from], author.at);
      await tellNew(tx);
      await tellOld(tx);
    },
  };
}
