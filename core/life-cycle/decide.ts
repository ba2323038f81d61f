/** An approver's decision: approve, reject, or request changes. */
import { assertEnoughApprovers, requestAfterDecision, type DecisionKind } from "../approvals/rules.ts";
import type { ApprovalRule } from "../companies/settings.ts";
import { AppError } from "../errors.ts";
import type { Actor } from "../permissions/actor.ts";
import { canBeApprover } from "../permissions/can.ts";
import type { EventApproval } from "../repository/event.ts";
import { readDateField, publishStep } from "./publish.ts";
import type { StoredApprover, StoredRequest, StoredSop } from "./records.ts";
import { requestFactsAfterStep, waitingApproverIds, type RequestPlan } from "./request.ts";
import { withoutPendingRequest, type LifeCycleStep } from "./step.ts";
import { refusals } from "./refusals.ts";
import { sentences } from "../language/catalog.ts";

export const decisionRefusals = sentences("core.life-cycle.decide", {
  permissionLost: "You no longer have permission to approve this SOP",
});

export interface DecisionFacts {
  kind: DecisionKind;
  comment: string | null;
  at: string;
  actor: Actor;
  /** The approver with the current name and initials, which can differ from those at the request. */
  by: Pick<StoredApprover, "name" | "initials"> & { _id: string; username: string };
  /** The approval rule at the time of the decision. */
  rule: ApprovalRule;
  /** True if the company allows self-approval at the time of the decision. The setting can change after the request. */
  allowSelfApproval: boolean;
}

/**
 * Plans a decision. A rejection or a request for changes makes the SOP a draft. Publishing after the final approval is
 * a separate step: `planPublicationAfterApproval`.
 * @throws AppError forbidden, conflict or invalid_input
 */
export function planDecision(sop: StoredSop, request: StoredRequest, facts: DecisionFacts): RequestPlan {
  const { kind, comment, at, actor, by, rule } = facts;
  const decision = { kind, comment, at, contentHash: request.contentHash };
  const decided = requestAfterDecision({ ...request, rule }, by._id, decision);
  assertRequestMatchesLatest(sop, request);
  if (!canBeApprover(actor, sop)) throw new AppError("forbidden", decisionRefusals.permissionLost());
  const { isOwnWork = false } = request.approvers.find((one) => isCurrentApprover(one, by)) ?? {};
  if (kind === "approve") {
    assertEnoughApprovers({ ...request, rule });
    if (isOwnWork && !facts.allowSelfApproval) throw new AppError("forbidden", refusals.ownWork());
  }
  const { name, username, initials } = by;
  const approvers = decided.approvers.map((one) =>
    isCurrentApprover(one, by) ? { ...one, name, username, initials } : one,
  );
  const { status, outcome } = decided;
  const waitingFor = waitingApproverIds({ ...request, status, approvers });
  const change = { approvers, waitingFor, ...(status !== "pending" && { status, outcome, resolvedAt: at }) };
  const after: StoredRequest = { ...request, ...change };
  const step: LifeCycleStep = {
    verb: kind,
    sop:
      status === "rejected"
        ? { ...withoutPendingRequest(sop), status: "draft", updatedAt: at }
        : { ...sop, waitingFor },
    note: comment,
    request: requestFactsAfterStep(sop, after, outcome),
    changes: { requestId: request._id, outcome, ...(isOwnWork ? { selfApproval: true } : {}) },
    ...(status === "pending" ? {} : { resolves: true as const }),
    effects: [
      { kind: "can_decide", userId: by._id },
      { kind: "change_request", request, change },
    ],
  };
  return { steps: [step], request: after };
}

const isCurrentApprover = ({ userId, replacedAt }: StoredApprover, { _id }: { _id: string }) =>
  userId === _id && replacedAt === null;

/** Asserts that the request is about the SOP's latest text. @throws AppError conflict */
function assertRequestMatchesLatest(sop: StoredSop, request: StoredRequest): void {
  const same = sop.requestId === request._id && sop.version === request.version;
  if (!same || sop.contentHash !== request.contentHash) throw new AppError("conflict", refusals.changedSince());
}

/**
 * Adds the publication of the version to the plan of the last approval (`planDecision`).
 * @param inText the effective date in the text of the version; undefined if the text has none
 */
export function planPublicationAfterApproval(
  { steps: [decision], request }: RequestPlan,
  { inText, ...facts }: { inText: string | undefined; at: string; reviewMonths: number | null },
): RequestPlan {
  const publication = publishStep(decision.sop, {
    ...facts,
    note: null,
    changeNote: request.requestNote,
    approvals: givenApprovalsOf(request.approvers),
    effective: readDateField(request.effectiveAt, inText, "effectiveAt"),
    changeClass: request.changeClass,
  });
  return { steps: [decision, publication], request };
}

/** Returns the approvals that the commit of a published version names. */
function givenApprovalsOf(approvers: readonly StoredApprover[]): EventApproval[] {
  return approvers
    .filter(({ replacedAt, status }) => replacedAt === null && status === "approved")
    .map(({ userId, name, username, respondedAt }) => ({
      userId,
      name,
      ...(username && { username }),
      at: respondedAt ?? "",
    }));
}
