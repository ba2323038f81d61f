/** Actions on a request, as steps of its SOP. The SOP's revision puts simultaneous decisions in order. */
import { waitingApprovers, type ApprovalOutcome, type Decided, type DecisionKind } from "#core/approvals/rules.ts";
import type { Approval } from "#core/repository/event.ts";
import type {
  ApprovalRequestDocument,
  ApproverDocument,
  Collections,
  SopDocument,
  UserDocument,
} from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { ApprovalFacts } from "../effects/events.ts";
import { withGrantees } from "../permissions/grantees.ts";
import { leaveReview, type Author, type Step } from "../sops/edit/steps.ts";
import { ChangedMeanwhile } from "../sops/edit/concurrent-change.ts";
import { endedByOf } from "./cancel.ts";
import { currentIds, assertMayDecide, assertStillAble, isCurrent } from "./people.ts";

const named = (approvers: readonly ApproverDocument[]) =>
  approvers.map(({ userId, name, username }) => ({ userId, name, username }));

/** The audit log names each use of the setting that allows self-approval. */
function selfApproval(approvers: readonly ApproverDocument[]): Record<string, unknown> {
  const own = approvers.filter(({ isOwnWork }) => isOwnWork);
  return own.length === 0 ? {} : { selfApproval: named(own) };
}

/** @param request with its approvers after the step */
function factsOf(
  { ownerId }: SopDocument,
  { _id: requestId, version, requestedBy, approvers }: ApprovalRequestDocument,
  { outcome = null, left = 0 }: { outcome?: ApprovalOutcome | null; left?: number } = {},
): ApprovalFacts {
  return { requestId, version, requestedBy, ownerId, approvers: currentIds(approvers), outcome, left };
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
    request: factsOf(sop, request, { left: currentIds(approvers).length }),
    changes: { requestId: request._id, rule, approvers: named(approvers), ...selfApproval(approvers) },
    async also(tx) {
      await assertStillAble(tx, sop, approvers, author.at);
      await tx.forCompany(request.companyId).collection("approval_requests").insertOne(request);
    },
  };
}

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
  const waitingFor = ends ? [] : currentIds(waitingApprovers({ ...request, approvers }));
  return {
    verb: kind,
    sop:
      status === "rejected" ? { ...leaveReview(sop), status: "draft", updatedAt: author.at } : { ...sop, waitingFor },
    note: comment,
    request: factsOf(sop, { ...request, approvers }, { outcome, left: waitingFor.length }),
    changes: { requestId: request._id, outcome, ...(isOwnWork ? { selfApproval: true } : {}) },
    ...(ends ? { resolves: true as const } : {}),
    async also(tx) {
      await assertMayDecide(tx, sop, author.user._id, author.at);
      await store(tx, request, { approvers, ...progress(author.at, status, outcome, approvers) });
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

/** The decision has the approver's name and initials of this moment, which can be others than those of the request. */
export function signedNow(
  decided: Decided<ApproverDocument>,
  { _id, name, username, initials }: Pick<UserDocument, "_id" | "name" | "username" | "initials">,
): Decided<ApproverDocument> {
  const approvers = decided.approvers.map((one) =>
    isCurrent(one) && one.userId === _id ? { ...one, name, username, initials } : one,
  );
  return { ...decided, approvers };
}

/** The approvals of a published version, as its commit names them. */
export function approvalsIn(approvers: readonly ApproverDocument[]): Approval[] {
  return approvers
    .filter((one) => isCurrent(one) && one.status === "approved")
    .map(({ userId, name, username, respondedAt }) => ({
      userId,
      name,
      ...(username && { username }),
      at: respondedAt ?? "",
    }));
}

export function withdrawStep(
  sop: SopDocument,
  author: Author,
  request: ApprovalRequestDocument,
  comment: string | null,
): Step {
  return {
    verb: "withdraw",
    sop: { ...leaveReview(sop), status: "draft", updatedAt: author.at },
    note: comment,
    request: factsOf(sop, request, { outcome: "withdrawn" }),
    changes: { requestId: request._id, outcome: "withdrawn" },
    resolves: true,
    async also(tx) {
      const endedBy = endedByOf(author, comment);
      const ended = progress(author.at, "rejected", "withdrawn", request.approvers);
      await store(tx, request, { ...ended, endedBy });
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
  const waitingFor = currentIds(waitingApprovers({ ...request, approvers }));
  return {
    verb: "replace_approver",
    sop: withGrantees({
      ...sop,
      approvers: currentIds(approvers),
      waitingFor,
    }),
    request: {
      ...factsOf(sop, { ...request, approvers }, { left: waitingFor.length }),
      replaced: { from, to: to.userId },
    },
    changes: {
      requestId: request._id,
      approver: {
        from: { userId: from, name: gone?.name ?? "", username: gone?.username },
        to: { userId: to.userId, name: to.name, username: to.username },
      },
      ...selfApproval([to]),
    },
    async also(tx) {
      await assertStillAble(tx, sop, [to], author.at);
      await store(tx, request, { approvers, ...progress(author.at, "pending", null, approvers) });
    },
  };
}
