/**
 * Removes stored objects that no document refers to. An object and its document can't be written in one transaction. So
 * a check is scheduled before an upload writes an object, and in the transaction that removes a document.
 */
import type { Clock } from "#core/clock.ts";
import type { AssetDocument, Collections } from "../database/documents.ts";
import type { Database, Store } from "../database/port.ts";
import { enqueueOutboxItem, type OutboxHandler } from "../jobs/outbox.ts";
import type { Blobs, BlobKey } from "./port.ts";

export const unusedObjectKind = "unused-object";
/**
 * Milliseconds until the check: longer than an upload takes. Until then, a running backup can still read the bytes of a
 * removed document.
 */
const afterMs = 3_600_000;

interface UnusedCheckStores {
  store: Store<Collections>;
  blobs: Pick<Blobs, "kind">;
  clock: Clock;
}

export async function scheduleUnusedCheck(
  { store, blobs, clock }: UnusedCheckStores,
  { _id, companyId }: BlobKey,
): Promise<void> {
  if (blobs.kind === "database") return;
  const dueAt = new Date(clock.millis() + afterMs).toISOString();
  await enqueueOutboxItem(store, {
    companyId,
    kind: unusedObjectKind,
    payload: { asset: _id },
    at: clock.now(),
    dueAt,
  });
}

export function createUnusedObjectHandler({ db, blobs }: { db: Database<Collections>; blobs: Blobs }): OutboxHandler {
  return async ({ companyId, payload }) => {
    const { asset: _id } = payload as { asset: AssetDocument["_id"] };
    if (companyId === null) return;
    const isUsed = await db
      .forCompany(companyId)
      .collection("assets")
      .findOne({ _id }, { projection: { size: 1 } });
    if (!isUsed) await blobs.remove({ _id, companyId });
  };
}
