/**
 * Keeps an approver who can't decide anymore in a pending request until the approver is replaced, and notifies the
 * requester.
 */
import { printedName } from "#core/users/printed-name.ts";
import type { ApprovalRequestDocument, Collections } from "../database/documents.ts";
import type { Filter, Transaction } from "../database/port.ts";
import type { DomainEvent, MemberKind } from "../effects/events.ts";
import type { Follower } from "../effects/follower.ts";
import { notifyUsers } from "../notifications/notify.ts";
import { granteeKeyOf } from "#core/permissions/grantees.ts";
import { loadApproverCheckIn } from "./people.ts";

/** Returns the filter for the requests that wait for one of these users. */
export const filterForRequestsWaitingFor = (...userIds: readonly string[]): Filter<ApprovalRequestDocument> => ({
  waitingFor: { $in: [...userIds] },
});

/**
 * Checks approvers after a change of permissions, people or teams, because approvers can lose or regain the permission
 * to decide.
 */
export const watchApprovers: Follower<AvailabilityEvent> = {
  name: "unavailable approvers",
  follows: [
    "role.updated",
    "sop.restricted",
    "sop.shared",
    "sop.unrestricted",
    "sop.unshared",
    "team.deleted",
    "team.member_added",
    "team.member_changed",
    "team.member_removed",
    "user.activated",
    "user.deleted",
    "user.permissions_changed",
    "user.suspended",
    "user.updated",
  ],
  within: (tx, event) => updateUnavailableApprovers(tx, event.companyId, filterForTouchedRequests(event), event.at),
};

type AvailabilityEvent =
  | "role.updated"
  | "team.deleted"
  | MemberKind
  | `sop.${"restricted" | "shared" | "unrestricted" | "unshared"}`
  | `user.${"activated" | "deleted" | "permissions_changed" | "suspended" | "updated"}`;

function filterForTouchedRequests({
  entityType,
  entityId,
  facts,
}: DomainEvent<AvailabilityEvent>): Filter<ApprovalRequestDocument> {
  if (facts !== null) return filterForRequestsWaitingFor(facts.userId);
  if (entityType === "user") return filterForRequestsWaitingFor(entityId ?? "");
  return entityType === "sop" ? { sopId: entityId } : {};
}

/**
 * Stores which waiting approvers can't decide anymore, and notifies the requester once about each of them. Call in the
 * transaction that changes permissions.
 * @param which the pending requests that the change can affect
 */
export async function updateUnavailableApprovers(
  tx: Transaction<Collections>,
  companyId: string,
  which: Filter<ApprovalRequestDocument>,
  at: string,
): Promise<void> {
  const company = tx.forCompany(companyId);
  const requests = await company.collection("approval_requests").find({ ...which, status: "pending" });
  if (requests.length === 0) return;
  const sops = await company.collection("sops").find({ _id: { $in: requests.map(({ sopId }) => sopId) } });
  const judge = await loadApproverCheckIn(
    tx,
    companyId,
    requests.flatMap((request) => request.waitingFor),
    at,
  );
  for (const request of requests) {
    const sop = sops.find(({ _id }) => _id === request.sopId);
    if (!sop) continue;
    const reasons = new Map(request.waitingFor.map((userId) => [userId, judge(userId, sop)]));
    const unable = request.waitingFor.filter((userId) => reasons.get(userId) !== null);
    const known = request.unable ?? [];
    if (unable.join(" ") === known.join(" ")) continue;
    await company.collection("approval_requests").updateOne({ _id: request._id }, { $set: { unable } });
    const gone = unable.filter((userId) => !known.includes(userId));
    // deactivated users keep their entry among the SOP's grantees, so that the request is found again when they return
    const grantees = gone.filter((id) => reasons.get(id) === "inactive");
    if (grantees.length > 0) await keepApproversAsGrantees(tx, request, grantees);
    for (const userId of gone) await notifyRequester(tx, request, userId, at);
  }
}

async function keepApproversAsGrantees(
  tx: Transaction<Collections>,
  { companyId, sopId }: ApprovalRequestDocument,
  userIds: readonly string[],
): Promise<void> {
  const grantees = userIds.map((userId) => granteeKeyOf({ userId, teamId: null }));
  await tx
    .forCompany(companyId)
    .collection("sops")
    .updateOne({ _id: sopId }, { $addToSet: { grantees: { $each: grantees } }, $inc: { revision: 1 } });
}

async function notifyRequester(
  tx: Transaction<Collections>,
  { _id: requestId, companyId, sopId, version, requestedBy, approvers }: ApprovalRequestDocument,
  userId: string,
  at: string,
): Promise<void> {
  if (requestedBy === userId) return;
  const approver = approvers.find((one) => one.userId === userId);
  const detail = { requestId, version, approverId: userId, name: approver ? printedName(approver) : null };
  await notifyUsers(tx, { companyId, to: [requestedBy], kind: "approver_unavailable", sopId, actor: null, detail, at });
}
