import type { NotificationQuery } from "#core/notifications/schema.ts";
import { AppError } from "#core/errors.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, NotificationDocument } from "../database/documents.ts";
import type { CompanyStore, Filter } from "../database/port.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { presentNotifications } from "./seen.ts";
import { invalidCursorError } from "../http/invalid-cursor.ts";

export function notificationHandlers(services: Services): Handlers<"notifications"> {
  const { db, clock } = services;

  /**
   * Marks the user's unread notifications that match `which` as read. If there were any, sends an event to the user's
   * other browsers.
   */
  async function markRead(call: SignedInCall, which: Filter<NotificationDocument>): Promise<void> {
    const { companyId, userId } = call.identity.actor;
    const at = clock.now();
    await transactionFor(db, companyId, async (tx) => {
      const notices = tx.forCompany(companyId).collection("notifications");
      const { modifiedCount } = await notices.updateMany({ ...which, userId, readAt: null }, { $set: { readAt: at } });
      const hears = { resources: ["notifications"] as const, to: [userId] };
      await recordChange(tx, call, { companyId, at, ...(modifiedCount > 0 && { hears }) });
    });
  }

  return {
    async list({ identity: { actor }, query }) {
      const company = db.forCompany(actor.companyId);
      const { rows, ...page } = await findNotificationsPage(company, actor.userId, query);
      return { data: await presentNotifications(company, actor, rows), ...page };
    },

    async count({ identity: { actor } }) {
      const notices = db.forCompany(actor.companyId).collection("notifications");
      return { unread: await notices.countDocuments({ userId: actor.userId, readAt: null }) };
    },

    async read(call) {
      const { companyId, userId } = call.identity.actor;
      const _id = call.params.id;
      const notice = await db.forCompany(companyId).collection("notifications").findOne({ _id, userId });
      if (!notice) throw new AppError("not_found");
      await markRead(call, { _id });
      return { ok: true };
    },

    async readAll(call) {
      await markRead(call, {});
      return { ok: true };
    },
  };
}

async function findNotificationsPage(
  company: CompanyStore<Collections>,
  userId: string,
  { unread, limit, cursor, total }: NotificationQuery,
): Promise<{ rows: NotificationDocument[]; nextCursor?: string; total?: number }> {
  const notices = company.collection("notifications");
  const mine = { userId, ...(unread === "true" ? { readAt: null } : {}) };
  const filter = cursor === undefined ? mine : { $and: [mine, olderNotificationsFilter(cursor)] };
  const found = await notices.find(filter, { sort: { createdAt: -1, _id: -1 }, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    ...(found.length > limit && last ? { nextCursor: writeCursor(last) } : {}),
    ...(total === "true" ? { total: await notices.countDocuments(mine) } : {}),
  };
}

function writeCursor({ createdAt, _id }: NotificationDocument): string {
  return Buffer.from(`${createdAt} ${_id}`).toString("base64url");
}

function olderNotificationsFilter(cursor: string): Filter<NotificationDocument> {
  const [, at, id] =
    /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (at === undefined || id === undefined) throw invalidCursorError();
  return { $or: [{ createdAt: { $lt: at } }, { createdAt: at, _id: { $lt: id } }] };
}
