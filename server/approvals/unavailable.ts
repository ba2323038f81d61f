/** An approver who can't decide anymore stays in pending requests until replaced. The requester gets a notification. */
import type { ApprovalRequestDocument, Collections } from "../database/documents.ts";
import type { Filter, Transaction } from "../database/port.ts";
import { notify } from "../notifications/notify.ts";
import { granteeOf } from "../permissions/grantees.ts";
import { approverCheckIn } from "./people.ts";

/** Rights whose loss takes the decision from an approver. */
export const decidingRights: ReadonlySet<string> = new Set(["sop.decide", "sop.read_head"]);

/** The pending requests that wait for one of these users. */
export const waitingFor = (...userIds: readonly string[]): Filter => ({ waitingFor: { $in: [...userIds] } });

/**
 * Runs after a change of permissions, in its transaction. Notifies each requester once of every waiting approver who
 * can't decide anymore.
 * @param which the pending requests that the change can affect
 */
export async function notifyOfUnavailable(
  tx: Transaction<Collections>,
  companyId: string,
  which: Filter,
  at: string,
): Promise<void> {
  const company = tx.forCompany(companyId);
  const requests = await company.collection("approval_requests").find({ ...which, status: "pending" });
  if (requests.length === 0) return;
  const sops = await company.collection("sops").find({ _id: { $in: requests.map(({ sopId }) => sopId) } });
  const judge = await approverCheckIn(
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
    // the request still names them: a user who comes back finds by the same index what waits
    const grantees = gone.filter((id) => reasons.get(id) === "inactive");
    if (grantees.length > 0) await keepGrantees(tx, request, grantees);
    for (const userId of gone) await notifyRequester(tx, request, userId, at);
  }
}

async function keepGrantees(
  tx: Transaction<Collections>,
  { companyId, sopId }: ApprovalRequestDocument,
  userIds: readonly string[],
): Promise<void> {
  const grantees = userIds.map((userId) => granteeOf({ userId, teamId: null }));
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
  const name = approvers.find((one) => one.userId === userId)?.name ?? "";
  const detail = { requestId, version, approverId: userId, name };
  await notify(tx, { companyId, to: [requestedBy], kind: "approver_unavailable", sopId, actor: null, detail, at });
}
