/** A notice that asks for a deed is read when the deed is done, or wanted no more: in the transaction that says so. */
import type { Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { tellBrowsers } from "../events/tell.ts";

interface Settled {
  companyId: string;
  requestId: string;
  /** Whom the request asks nothing any more. */
  users: readonly string[];
  at: string;
}

/** 'Asks you to approve' of this request, for these users. Inside the company's turn (`transactionFor`). */
export async function settleRequests(tx: Transaction<Collections>, settled: Settled): Promise<void> {
  const { companyId, requestId, users, at } = settled;
  if (users.length === 0) return;
  const notices = tx.forCompany(companyId).collection("notifications");
  const open = await notices.find(
    { userId: { $in: [...users] }, readAt: null, kind: "approval_requested", "detail.requestId": requestId },
    { projection: { userId: 1 } },
  );
  if (open.length === 0) return;
  await notices.updateMany({ _id: { $in: open.map(({ _id }) => _id) } }, { $set: { readAt: at } });
  const told = [...new Set(open.map(({ userId }) => userId))];
  await tellBrowsers(tx, companyId, ["notifications"], at, told);
}
