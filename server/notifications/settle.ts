/**
 * Marks a notification that asks for an approval as read, once the approval is given or no longer needed. Runs in the
 * transaction that changes the approval request.
 */
import type { Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { sendEvent } from "../events/send-event.ts";

interface SettledRequest {
  companyId: string;
  requestId: string;
  /** The users who no longer have to act on the request. */
  users: readonly string[];
  at: string;
}

/**
 * Marks the notifications about approval of this request as read, for these users. Call it inside the company's turn
 * (`transactionFor`).
 */
export async function markRequestNotificationsRead(
  tx: Transaction<Collections>,
  settled: SettledRequest,
): Promise<void> {
  const { companyId, requestId, users, at } = settled;
  if (users.length === 0) return;
  const notices = tx.forCompany(companyId).collection("notifications");
  const open = await notices.find(
    { userId: { $in: [...users] }, readAt: null, kind: "approval_requested", "detail.requestId": requestId },
    { projection: { userId: 1 } },
  );
  if (open.length === 0) return;
  await notices.updateMany({ _id: { $in: open.map(({ _id }) => _id) } }, { $set: { readAt: at } });
  const userIds = [...new Set(open.map(({ userId }) => userId))];
  await sendEvent(tx, companyId, ["notifications"], at, userIds);
}
