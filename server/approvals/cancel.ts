import { currentApproverIds } from "#core/life-cycle/request.ts";
import { endedRequestFields } from "#core/life-cycle/withdraw.ts";
import type { Follower } from "../effects/follower.ts";
import { notify } from "../notifications/notify.ts";
import { settleRequests } from "../notifications/settle.ts";

/**
 * Notifies the approvers of a canceled request. An edit, a move, an archiving or a deletion of its SOP cancels a
 * request.
 */
export const cancelRequest: Follower<"approval.canceled"> = {
  name: "canceled approvals",
  follows: ["approval.canceled"],
  async within(tx, { companyId, entityId: sopId, at, actor, facts: { requestId } }) {
    const requests = tx.forCompany(companyId).collection("approval_requests");
    // a lost or damaged one keeps no one from the edit that ends the review
    const [request] = await requests.find({ _id: requestId }, { limit: 1 });
    if (!request || !actor) return;
    await requests.updateOne({ _id: requestId }, { $set: endedRequestFields("voided", actor, at, null) });
    const approvers = currentApproverIds(request.approvers);
    await settleRequests(tx, { companyId, requestId, users: approvers, at });
    await notify(tx, {
      companyId,
      to: [request.requestedBy, ...approvers],
      kind: "approval_voided",
      sopId,
      actor,
      detail: { requestId, version: request.version },
      at,
    });
  },
};
