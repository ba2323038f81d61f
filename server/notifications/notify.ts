/** Tells people, in the transaction of what they are told of; their own doings are no news to them. */
import { newId } from "#core/ids.ts";
import type { NotificationKind } from "#core/notifications/kinds.ts";
import type { Collections, NotificationDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

export interface Notice {
  companyId: string;
  to: readonly string[];
  kind: NotificationKind;
  sopId: string | null;
  /** Who did it; null for what time did. */
  actor: { _id: string; name: string } | null;
  detail?: NotificationDocument["detail"];
  at: string;
}

/** Inside the company's turn (`transactionFor`). */
export async function notify(tx: Transaction<Collections>, notice: Notice): Promise<void> {
  const { companyId, kind, sopId, actor, detail = {}, at } = notice;
  const to = [...new Set(notice.to)].filter((userId) => userId !== actor?._id);
  if (to.length === 0) return;
  const common = { companyId, kind, sopId, actorId: actor?._id ?? null, actorName: actor?.name ?? null, detail };
  const store = tx.forCompany(companyId);
  await store
    .collection("notifications")
    .insertMany(to.map((userId) => ({ _id: newId(), ...common, userId, createdAt: at, readAt: null })));
  const counters = await tx
    .collection("counters")
    .findOneAndUpdate({ _id: companyId }, { $inc: { eventSeq: 1 } }, { returnDocument: "after" });
  if (!counters) return;
  await store
    .collection("events")
    .insertOne({ _id: newId(), companyId, seq: counters.eventSeq, resources: ["notifications"], sopId: null, to, at });
}
