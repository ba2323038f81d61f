/** Carries out one effect of a step, in the transaction of the step. */
import type { StepEffect } from "#core/life-cycle/step.ts";
import { assertMayDecide, assertApproversStillEligible } from "../../approvals/people.ts";
import type { Collections, SopDocument } from "../../database/documents.ts";
import type { Transaction } from "../../database/port.ts";
import { ChangedMeanwhile } from "./concurrent-change.ts";

/**
 * Carries out one effect of a step.
 * @param before the SOP before the step; null for a new SOP
 * @throws AppError when a check fails; ChangedMeanwhile when another write changed the request since it was read
 */
export async function carryOutEffect(
  tx: Transaction<Collections>,
  effect: StepEffect,
  before: SopDocument | null,
  at: string,
): Promise<void> {
  switch (effect.kind) {
    case "can_approve":
      return before === null ? undefined : await assertApproversStillEligible(tx, before, effect.userIds, at);
    case "can_decide":
      return before === null ? undefined : await assertMayDecide(tx, before, effect.userId, at);
    case "add_request":
      return await tx.forCompany(effect.request.companyId).collection("approval_requests").insertOne(effect.request);
    case "change_request": {
      const { request, change } = effect;
      const { _id, companyId, approvers } = request;
      // decisions change the SOP, so its revision shows them. Two replacements can restore the same approvers, and only
      // the request shows those
      const lastReplaced = approvers.reduce(
        (last, { replacedAt }) => (replacedAt !== null && replacedAt > last ? replacedAt : last),
        "",
      );
      const stored = await tx
        .forCompany(companyId)
        .collection("approval_requests")
        .updateOne(
          { _id, status: "pending", $nor: [{ "approvers.replacedAt": { $gt: lastReplaced } }] },
          { $set: change },
        );
      if (stored.matchedCount === 0) throw new ChangedMeanwhile();
      return;
    }
    case "add_review":
      return await tx.forCompany(effect.review.companyId).collection("reviews").insertOne(effect.review);
  }
}
