/** Plans the end of a request without a decision: a user withdraws the request, or a change of the SOP cancels it. */
import { assertPending, mayWithdraw } from "../approvals/rules.ts";
import { AppError } from "../errors.ts";
import type { Actor } from "../permissions/actor.ts";
import type { StoredRequest, StoredSop } from "./records.ts";
import { requestFactsAfterStep, type RequestPlan } from "./request.ts";
import { withoutPendingRequest, type LifeCycleStep } from "./step.ts";

interface WithdrawingUser {
  _id: string;
  name: string;
  username?: string;
}

/** @throws AppError conflict or forbidden */
export function planRequestWithdrawal(
  sop: StoredSop,
  request: StoredRequest,
  { actor, by, at, comment }: { actor: Actor; by: WithdrawingUser; at: string; comment: string | null },
): RequestPlan {
  assertPending(request);
  if (!mayWithdraw(actor, request, sop)) throw new AppError("forbidden");
  const change = endedRequestFields("withdrawn", by, at, comment);
  const after = { ...request, ...change };
  const step: LifeCycleStep = {
    verb: "withdraw",
    sop: { ...withoutPendingRequest(sop), status: "draft", updatedAt: at },
    note: comment,
    request: requestFactsAfterStep(sop, after, "withdrawn"),
    changes: { requestId: request._id, outcome: "withdrawn" },
    resolves: true,
    effects: [{ kind: "change_request", request, change }],
  };
  return { steps: [step], request: after };
}

/** The fields of a request that end it, with the user who ends it. */
export function endedRequestFields(
  outcome: "withdrawn" | "voided",
  { _id: userId, name, username }: WithdrawingUser,
  at: string,
  comment: string | null,
) {
  const endedBy = { userId, name, ...(username && { username }), comment };
  return { status: "rejected", outcome, waitingFor: [], resolvedAt: at, endedBy } satisfies Partial<StoredRequest>;
}
