import { currentApproverIds } from "#core/life-cycle/request.ts";
import { endedRequestFields } from "#core/life-cycle/withdraw.ts";
import type { Follower } from "../effects/follower.ts";
import { notifyUsers } from "../notifications/notify.ts";
import { markRequestNotificationsRead } from "../notifications/settle.ts";

/**
 * Ends a canceled request, and notifies the requester and the approvers. A request is canceled when its SOP is edited,
 * moved, archived or deleted.
 */
export const settleCanceledRequest: Follower<"approval.canceled"> = {
  name: "canceled approvals",
  follows: ["approval.canceled"],
  async within(tx, { companyId, entityId: sopId, at, actor, facts: { requestId } }) {
    const requests = tx.forCompany(companyId).collection("approval_requests");
    // if the request is lost or damaged, the edit that cancels it still succeeds
    const [request] = await requests.find({ _id: requestId }, { limit: 1 });
    if (!request || !actor) return;
    await requests.updateOne({ _id: requestId }, { $set: endedRequestFields("voided", actor, at, null) });
    const approvers = currentApproverIds(request.approvers);
    await markRequestNotificationsRead(tx, { companyId, requestId, users: approvers, at });
    await notifyUsers(tx, {
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
