/** An approver's decision: approve, reject, or request changes. */
import { assertWithinReach, decide, type DecisionKind } from "../approvals/rules.ts";
import type { ApprovalRule } from "../companies/settings.ts";
import { AppError } from "../errors.ts";
import type { Actor } from "../permissions/actor.ts";
import { canBeApprover } from "../permissions/can.ts";
import type { Approval } from "../repository/event.ts";
import { dateField, publishStep } from "./publish.ts";
import type { StoredApprover, StoredRequest, StoredSop } from "./records.ts";
import { factsOf, waitingIds, type RequestPlan } from "./request.ts";
import { leaveReview, type Step } from "./step.ts";

export const permissionLost = "You no longer have permission to approve this SOP";

export interface DecisionFacts {
  kind: DecisionKind;
  comment: string | null;
  at: string;
  actor: Actor;
  /** The approver, with the name and initials of this moment, which can be others than those of the request. */
  by: Pick<StoredApprover, "name" | "initials"> & { _id: string; username: string };
  /** The rule that the request must meet now. */
  rule: ApprovalRule;
  /** The company can stop allowing it after the request. */
  allowSelfApproval: boolean;
}

/**
 * A rejection or a request for changes makes the SOP a draft. The effect of a final approval is another step:
 * `publishApproved`.
 * @throws AppError forbidden, conflict or invalid_input
 */
export function planDecision(sop: StoredSop, request: StoredRequest, facts: DecisionFacts): RequestPlan {
  const { kind, comment, at, actor, by, rule } = facts;
  const decision = { kind, comment, at, contentHash: request.contentHash };
  const decided = decide({ ...request, rule }, by._id, decision);
  assertPinned(sop, request);
  if (!canBeApprover(actor, sop)) throw new AppError("forbidden", permissionLost);
  const { isOwnWork = false } = request.approvers.find((one) => isOf(one, by)) ?? {};
  if (kind === "approve") {
    assertWithinReach({ ...request, rule });
    if (isOwnWork && !facts.allowSelfApproval)
      throw new AppError("forbidden", "Your company doesn't allow approving your own work anymore");
  }
  const { name, username, initials } = by;
  const approvers = decided.approvers.map((one) => (isOf(one, by) ? { ...one, name, username, initials } : one));
  const { status, outcome } = decided;
  const waitingFor = waitingIds({ ...request, status, approvers });
  const change = { approvers, waitingFor, ...(status !== "pending" && { status, outcome, resolvedAt: at }) };
  const after: StoredRequest = { ...request, ...change };
  const step: Step = {
    verb: kind,
    sop: status === "rejected" ? { ...leaveReview(sop), status: "draft", updatedAt: at } : { ...sop, waitingFor },
    note: comment,
    request: factsOf(sop, after, outcome),
    changes: { requestId: request._id, outcome, ...(isOwnWork ? { selfApproval: true } : {}) },
    ...(status === "pending" ? {} : { resolves: true as const }),
    effects: [
      { kind: "can_decide", userId: by._id },
      { kind: "change_request", request, change },
    ],
  };
  return { steps: [step], request: after };
}

const isOf = ({ userId, replacedAt }: StoredApprover, { _id }: { _id: string }) =>
  userId === _id && replacedAt === null;

/** The request is about one text: what the SOP says now must be that. @throws AppError conflict */
function assertPinned(sop: StoredSop, request: StoredRequest): void {
  const same = sop.requestId === request._id && sop.version === request.version;
  if (!same || sop.contentHash !== request.contentHash)
    throw new AppError("conflict", "The SOP changed after this request");
}

/**
 * The last approval of a request publishes its version.
 * @param approved the plan of the approval @param inText the effective date of the version's text
 */
export function publishApproved(
  { steps: [decision], request }: RequestPlan,
  { inText, ...facts }: { inText: string | undefined; at: string; reviewMonths: number | null },
): RequestPlan {
  const publication = publishStep(decision.sop, {
    ...facts,
    note: null,
    changeNote: request.requestNote,
    approvals: approvalsIn(request.approvers),
    effective: dateField(request.effectiveAt, inText, "effectiveAt"),
    changeClass: request.changeClass,
  });
  return { steps: [decision, publication], request };
}

/** The approvals of a published version, as its commit names them. */
function approvalsIn(approvers: readonly StoredApprover[]): Approval[] {
  return approvers
    .filter(({ replacedAt, status }) => replacedAt === null && status === "approved")
    .map(({ userId, name, username, respondedAt }) => ({
      userId,
      name,
      ...(username && { username }),
      at: respondedAt ?? "",
    }));
}
