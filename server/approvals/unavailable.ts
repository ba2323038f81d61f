/** An approver who can't sign in any more stays in his requests until he is replaced; who asked is told. */
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { notify } from "../notifications/notify.ts";
import { granteeOf } from "../permissions/grantees.ts";

/** In the transaction that suspends or deletes him, after his grants have ended. */
export async function tellOfUnavailable(
  tx: Transaction<Collections>,
  { _id: userId, companyId, name }: Pick<UserDocument, "_id" | "companyId" | "name">,
  at: string,
): Promise<void> {
  const company = tx.forCompany(companyId);
  const waiting = await company.collection("approval_requests").find({ waitingFor: userId });
  if (waiting.length === 0) return;
  // the requests still name him: somebody who comes back finds by the same index what waits for him
  await company
    .collection("sops")
    .updateMany(
      { _id: { $in: waiting.map(({ sopId }) => sopId) } },
      { $addToSet: { grantees: granteeOf({ userId, teamId: null }) }, $inc: { revision: 1 } },
    );
  for (const { _id: requestId, sopId, version, requestedBy } of waiting) {
    if (requestedBy === userId) continue;
    const detail = { requestId, version, approverId: userId, name };
    await notify(tx, { companyId, to: [requestedBy], kind: "approver_unavailable", sopId, actor: null, detail, at });
  }
}
