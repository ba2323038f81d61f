import type { ApprovalRequestDocument } from "../database/documents.ts";
import type { Follower } from "../effects/follower.ts";
import { notify } from "../notifications/notify.ts";
import { settleRequests } from "../notifications/settle.ts";
import type { Author } from "../sops/edit/steps.ts";
import { currentIds } from "./people.ts";

/** An edit, a move, an archiving or a deletion of its SOP cancels a request. Notifies its approvers. */
export const cancelRequest: Follower<"approval.canceled"> = {
  name: "canceled approvals",
  follows: ["approval.canceled"],
  async within(tx, { companyId, entityId: sopId, at, actor, facts: { requestId } }) {
    const requests = tx.forCompany(companyId).collection("approval_requests");
    const request = await requests.findOne({ _id: requestId });
    if (!request || !actor) return;
    const endedBy = endedByOf({ user: actor }, null);
    const ended = {
      status: "rejected",
      outcome: "voided",
      waitingFor: [],
      resolvedAt: at,
      endedBy,
    } satisfies Partial<ApprovalRequestDocument>;
    await requests.updateOne({ _id: requestId }, { $set: ended });
    const approvers = currentIds(request.approvers);
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

/** The user who withdrew or canceled a request. */
export function endedByOf(
  { user }: { user: Omit<Author["user"], "companyId"> },
  comment: string | null,
): ApprovalRequestDocument["endedBy"] & object {
  const { _id: userId, name, username } = user;
  return { userId, name, ...(username && { username }), comment };
}
