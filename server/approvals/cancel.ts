import type { ApprovalRequestDocument, Collections, SopDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { notify } from "../notifications/notify.ts";
import { settleRequests } from "../notifications/settle.ts";
import type { Author } from "../sops/edit/steps.ts";
import { currentIds } from "./people.ts";

/** Cancels the request after an edit, an archiving or a deletion of its SOP, and notifies its approvers. */
export async function cancelRequest(tx: Transaction<Collections>, author: Author, before: SopDocument): Promise<void> {
  const requests = tx.forCompany(before.companyId).collection("approval_requests");
  const request: ApprovalRequestDocument | null = await requests.findOne({ _id: before.requestId ?? "" });
  if (!request) return;
  const endedBy = { userId: author.user._id, name: author.user.name, comment: null };
  const ended = { status: "rejected", outcome: "voided", waitingFor: [], resolvedAt: author.at, endedBy } as const;
  await requests.updateOne({ _id: request._id }, { $set: ended });
  const { companyId } = before;
  const approvers = currentIds(request.approvers);
  await settleRequests(tx, { companyId, requestId: request._id, users: approvers, at: author.at });
  await notify(tx, {
    companyId,
    to: [request.requestedBy, ...approvers],
    kind: "approval_voided",
    sopId: before._id,
    actor: author.user,
    detail: { requestId: request._id, version: request.version },
    at: author.at,
  });
}
