/**
 * Sends an event to open browsers when a temporary permission expires. The permission ends even without the event,
 * because each access check compares the time.
 */
import type { UserPermission } from "#core/permissions/actor.ts";
import { updateUnavailableApprovers, filterForRequestsWaitingFor } from "../approvals/unavailable.ts";
import { transactionFor } from "../database/turns.ts";
import type { UserDocument } from "../database/documents.ts";
import { sendEvent } from "../events/send-event.ts";
import type { Services } from "../http/services.ts";
import { forEachDue, type DeadlineJob } from "../jobs/deadlines.ts";

/** Returns the time when the next permission expires; null if none does. */
export function nextPermissionExpiry(permissions: readonly UserPermission[], now: string): string | null {
  const ends = permissions.flatMap(({ expiresAt }) => (expiresAt !== null && expiresAt > now ? [expiresAt] : []));
  return ends.sort()[0] ?? null;
}

export const announceExpiredPermissions: DeadlineJob = {
  name: "rights end",
  async run(services, now) {
    const due = await services.db
      .collection("users")
      .find(
        { rightsEndAt: { $gt: "", $lte: now } },
        { projection: { companyId: 1, rightsEndAt: 1, permissions: 1 }, sort: { rightsEndAt: 1 } },
      );
    await forEachDue(services, this.name, due, (user) => sendExpiryEvent(services, user, now));
  },
};

function sendExpiryEvent(
  { db }: Services,
  { _id, companyId, rightsEndAt: permissionsEndAt, permissions }: UserDocument,
  now: string,
): Promise<void> {
  return transactionFor(db, companyId, async (tx) => {
    const moved = await tx
      .forCompany(companyId)
      .collection("users")
      .updateOne(
        { _id, rightsEndAt: permissionsEndAt ?? null },
        { $set: { rightsEndAt: nextPermissionExpiry(permissions, now) } },
      );
    if (moved.matchedCount === 0) return;
    await updateUnavailableApprovers(tx, companyId, filterForRequestsWaitingFor(_id), now);
    await sendEvent(tx, companyId, ["me", "sops", "categories", "stats"], now, [_id]);
  });
}
