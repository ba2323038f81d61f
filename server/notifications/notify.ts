/** Notifies users, in the transaction of the event. Users get no notifications about their own actions. */
import { newId } from "#core/ids.ts";
import { notificationKinds, type NotificationKind } from "#core/notifications/kinds.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { Collections, NotificationDocument, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { sendEvent } from "../events/send-event.ts";
import { queueDigests } from "./digest.ts";

export type NoticeActor = Pick<UserDocument, "_id" | "name"> & { username?: string };

export interface Notice {
  companyId: string;
  to: readonly string[];
  kind: NotificationKind;
  sopId: string | null;
  /** The user who caused the event; null if a deadline caused it. */
  actor: NoticeActor | null;
  detail?: NotificationDocument["detail"];
  at: string;
}

/** Stores notifications and queues their emails. Call it inside the company's turn (`transactionFor`). */
export async function notifyUsers(tx: Transaction<Collections>, notice: Notice): Promise<void> {
  const { companyId, kind, sopId, actor, detail = {}, at } = notice;
  const to = [...new Set(notice.to)].filter((userId) => userId !== actor?._id);
  if (to.length === 0) return;
  const toMail = notificationKinds[kind] !== null;
  const common = {
    companyId,
    kind,
    sopId,
    actorId: actor?._id ?? null,
    actorName: actor && printedName(actor),
    detail,
    toMail,
  };
  const notices = to.map((userId) => ({ _id: newId(), ...common, userId, createdAt: at, readAt: null }));
  // the event changes the company's counters, so that two servers that notify users at once conflict before emails are
  // queued
  await sendEvent(tx, companyId, ["notifications"], at, to);
  await tx.forCompany(companyId).collection("notifications").insertMany(notices);
  if (toMail) await queueDigests(tx, companyId, to, at);
}
