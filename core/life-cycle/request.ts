/** Plans a request for approval, and the replacement of one of its approvers. */
import {
  currentApprovers,
  approversAfterReplacement,
  waitingApprovers,
  type ApprovalOutcome,
} from "../approvals/rules.ts";
import type { ApprovalRule } from "../companies/settings.ts";
import { AppError } from "../errors.ts";
import { withGranteeIndex } from "../permissions/grantees.ts";
import type { PublishAsk } from "../sops/publication.ts";
import { approvalRefusals } from "../approvals/refusals.ts";
import { scheduledDayOf } from "../sops/rules.ts";
import { readDateField } from "./publish.ts";
import type { StoredApprover, StoredRequest, StoredSop } from "./records.ts";
import type { ApprovalFacts, LifeCycleStep } from "./step.ts";

export interface RequestPlan {
  steps: [LifeCycleStep, ...LifeCycleStep[]];
  request: StoredRequest;
}

/** The ids of a request's approvers, without replaced ones. */
export const currentApproverIds = (approvers: readonly StoredApprover[]): string[] =>
  currentApprovers({ approvers }).map(({ userId }) => userId);

/** Tells whether the stored SOP belongs to this stored request. Each action on a request changes both records. */
export function matchesRequestState({ requestId, waitingFor }: StoredSop, request: StoredRequest): boolean {
  return requestId === request._id && waitingFor?.join(" ") === request.waitingFor.join(" ");
}

/** Asserts that approval can be requested. @throws AppError conflict unless the SOP is a draft without a request */
export function assertCanRequestApproval(sop: StoredSop): void {
  if (sop.requestId !== null || sop.status === "under_review")
    throw new AppError("conflict", approvalRefusals.underReview());
  if (sop.status === "archived") throw new AppError("conflict", approvalRefusals.archived());
  const day = scheduledDayOf(sop);
  if (day !== null) throw new AppError("conflict", approvalRefusals.waits({ version: sop.version, day }));
  if (sop.status === "published") throw new AppError("conflict", approvalRefusals.published());
}

/**
 * Submits the latest version for approval, after `assertCanRequestApproval`.
 * @param asked the fields of the user's request, except for the approvers
 */
export function planApprovalRequest(
  sop: StoredSop,
  asked: Pick<PublishAsk, "effectiveAt" | "changeClass"> & { requestNote?: string | null | undefined },
  facts: {
    id: string;
    by: { _id: string; name: string; username: string };
    at: string;
    rule: ApprovalRule;
    approvers: StoredApprover[];
  },
): RequestPlan {
  const { id, by, at, rule, approvers } = facts;
  const userIds = currentApproverIds(approvers);
  const effectiveAt = readDateField(asked.effectiveAt, undefined, "effectiveAt") ?? null;
  const request: StoredRequest = {
    _id: id,
    companyId: sop.companyId,
    sopId: sop._id,
    version: sop.version,
    contentHash: sop.contentHash,
    requestedBy: by._id,
    requestedByName: by.name,
    requestedByUsername: by.username,
    requestNote: asked.requestNote?.trim() || null,
    ...(asked.changeClass && { changeClass: asked.changeClass }),
    ...(asked.effectiveAt === undefined ? {} : { effectiveAt }),
    rule,
    status: "pending",
    outcome: null,
    approvers,
    waitingFor: userIds,
    createdAt: at,
    resolvedAt: null,
  };
  const waiting: StoredSop = {
    ...sop,
    status: "under_review",
    requestId: id,
    approvers: userIds,
    waitingFor: userIds,
    updatedAt: at,
  };
  const step: LifeCycleStep = {
    verb: "request_approval",
    sop: withGranteeIndex(waiting),
    note: request.requestNote,
    request: requestFactsAfterStep(sop, request),
    changes: { requestId: id, rule, approvers: approverPersonsOf(approvers), ...selfApprovalField(approvers) },
    effects: [
      { kind: "can_approve", userIds },
      { kind: "add_request", request },
    ],
  };
  return { steps: [step], request };
}

/** @param from a user id @throws AppError conflict or invalid_input */
export function planApproverReplacement(
  sop: StoredSop,
  request: StoredRequest,
  { from, to, at }: { from: string; to: StoredApprover; at: string },
): RequestPlan {
  const gone = request.approvers.find(({ userId }) => userId === from);
  const approvers = approversAfterReplacement(request, from, to, at);
  const change = { approvers, waitingFor: waitingApproverIds({ ...request, approvers }) };
  const after = { ...request, ...change };
  const step: LifeCycleStep = {
    verb: "replace_approver",
    sop: withGranteeIndex({ ...sop, approvers: currentApproverIds(approvers), waitingFor: after.waitingFor }),
    request: { ...requestFactsAfterStep(sop, after), replaced: { from, to: to.userId } },
    changes: {
      requestId: request._id,
      approver: {
        from: { userId: from, name: gone?.name ?? "", username: gone?.username },
        to: { userId: to.userId, name: to.name, username: to.username },
      },
      ...selfApprovalField([to]),
    },
    effects: [
      { kind: "can_approve", userIds: [to.userId] },
      { kind: "change_request", request, change },
    ],
  };
  return { steps: [step], request: after };
}

export const waitingApproverIds = (request: StoredRequest): string[] =>
  waitingApprovers(request).map(({ userId }) => userId);

/**
 * Returns the state of a request after a step.
 * @param outcome the outcome, if the step ends the request
 */
export function requestFactsAfterStep(
  { ownerId }: StoredSop,
  { _id: requestId, version, requestedBy, approvers, waitingFor }: StoredRequest,
  outcome: ApprovalOutcome | null = null,
): ApprovalFacts {
  return {
    requestId,
    version,
    requestedBy,
    ownerId,
    approvers: currentApproverIds(approvers),
    outcome,
    left: waitingFor.length,
  };
}

const approverPersonsOf = (approvers: readonly StoredApprover[]) =>
  approvers.map(({ userId, name, username }) => ({ userId, name, username }));

/** Returns the field `selfApproval` of an audit entry: the approvers who may decide about their own work. */
function selfApprovalField(approvers: readonly StoredApprover[]): Record<string, unknown> {
  const own = approvers.filter(({ isOwnWork }) => isOwnWork);
  return own.length === 0 ? {} : { selfApproval: approverPersonsOf(own) };
}
