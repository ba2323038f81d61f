/**
 * Emails notifications: a single email for all within five minutes. Each user has one outbox item, named by the user's
 * id. The first notification makes it due in five minutes, later ones join it, and sending completes it. The next
 * notification starts the item again with its own time, so that operators see how long an email waits. Notifications
 * and completions write the same item, so both engines put them in order and none is lost.
 */
import { sentences, type Sentence } from "#core/language/catalog.ts";
import { mailChoicesOf } from "#core/settings/mail-kinds.ts";
import { notificationKinds } from "#core/notifications/kinds.ts";
import type { Notification } from "#core/notifications/schema.ts";
import { tryUnlessDamaged } from "../database/beside-damage.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, NotificationDocument, OutboxDocument, UserDocument } from "../database/documents.ts";
import type { BulkOperation, Transaction, Update, Values } from "../database/port.ts";
import { actorOf } from "../http/identify.ts";
import type { Services } from "../http/services.ts";
import type { OutboxHandler } from "../jobs/outbox.ts";
import { composeMail, type Mail } from "../mail/compose.ts";
import { confirmedAddressOf } from "../mail/outbox.ts";
import type { SendMail } from "../mail/send.ts";
import { presentNotifications } from "./seen.ts";

const texts = sentences("server.notifications.digest", { more: "and {left} more" });

export const digestKind = "notifications";
export const digestWindowMs = 5 * 60_000;
const linesAtMost = 20;

const digestId = (userId: string) => `${digestKind}:${userId}`;
const digestWindowEnd = (at: string) => new Date(Date.parse(at) + digestWindowMs).toISOString();

/**
 * Queues emails about new notifications to these users, in the transaction of the notifications. Call it after
 * `sendEvent` has changed the company's counters.
 */
export async function queueDigests(
  tx: Transaction<Collections>,
  companyId: string,
  userIds: readonly string[],
  at: string,
): Promise<void> {
  const items = tx.collection("outbox");
  const found = await items.find({ _id: { $in: userIds.map(digestId) } });
  const known = new Map(found.map((item) => [item._id, item]));
  const ordered: BulkOperation<OutboxDocument>[] = [];
  for (const userId of userIds) {
    let _id = digestId(userId);
    let item = known.get(_id);
    // a damaged item occupies the id, so the email gets an item with another id
    if (!item && !(await tryUnlessDamaged(() => items.findOne({ _id })))) {
      _id = `${_id}:beside-damage`;
      item = (await items.findOne({ _id })) ?? undefined;
    }
    ordered.push(digestOutboxOperation(companyId, { userId, _id }, item, at));
  }
  if (ordered.length > 0) await items.bulkWrite(ordered);
}

function digestOutboxOperation(
  companyId: string,
  { userId, _id }: { userId: string; _id: string },
  known: OutboxDocument | undefined,
  at: string,
): BulkOperation<OutboxDocument> {
  if (!known) {
    const item = { kind: digestKind, payload: { userId, notices: 1 }, state: "pending", attempts: 0 } as const;
    return {
      insertOne: { document: { _id, companyId, ...item, dueAt: digestWindowEnd(at), lastError: null, createdAt: at } },
    };
  }
  const joins: Update<OutboxDocument> = { $inc: { "payload.notices": 1 } };
  if (known.state === "pending") return { updateOne: { filter: { _id }, update: joins } };
  const sentAt = known.payload["sentAt"];
  const dueAt = digestWindowEnd(typeof sentAt === "string" && sentAt > at ? sentAt : at);
  const again: Values<OutboxDocument> = { state: "pending", attempts: 0, lastError: null, dueAt, createdAt: at };
  return { updateOne: { filter: { _id }, update: { $set: again, ...joins } } };
}

type DigestServices = Pick<Services, "db" | "clock" | "address">;

/**
 * Creates the handler that emails a user's notifications which are still unread, visible, and wanted by email. Other
 * notifications are never emailed.
 */
export function createDigestHandler(services: DigestServices, send: SendMail): OutboxHandler {
  return async ({ _id, companyId, payload }, signal) => {
    if (companyId === null) return;
    const userId = String(payload["userId"]);
    const notices = await services.db
      .forCompany(companyId)
      .collection("notifications")
      .find(unmailedFilter(userId), { sort: { createdAt: 1, _id: 1 } });
    const mail = await composeDigestFor(services, companyId, userId, notices);
    const newest = notices.at(-1);
    // use the newest notification's id: a retry of this email keeps it, and the item's next email gets another one
    if (mail && newest) await send(mail, { id: newest._id, at: newest.createdAt, signal });
    await completeDigest(services, { _id, companyId, userId }, notices, mail !== null);
  };
}

const unmailedFilter = (userId: string) => ({ userId, readAt: null, toMail: true });

/** Completes the outbox item. Notifications that arrived during the sending go into the next email. */
async function completeDigest(
  { db, clock }: DigestServices,
  { _id, companyId, userId }: { _id: string; companyId: string; userId: string },
  mailed: readonly NotificationDocument[],
  wasSent: boolean,
): Promise<void> {
  await transactionFor(db, companyId, async (tx) => {
    const notices = tx.forCompany(companyId).collection("notifications");
    await notices.updateMany({ _id: { $in: mailed.map(({ _id }) => _id) } }, { $set: { toMail: false } });
    const next = await notices.findOne(unmailedFilter(userId));
    const now = clock.now();
    await tx.collection("outbox").updateOne(
      { _id },
      {
        $set: {
          ...(next ? { dueAt: digestWindowEnd(now), attempts: 0, createdAt: now } : { state: "done", dueAt: now }),
          ...(wasSent ? { "payload.sentAt": now } : {}),
          "payload.notices": next ? 1 : 0,
        },
      },
    );
  });
}

/**
 * Composes the email to a user.
 * @returns null for users who can't get email, and if none of the notifications is visible and wanted
 */
async function composeDigestFor(
  { db, clock, address }: DigestServices,
  companyId: string,
  userId: string,
  notices: readonly NotificationDocument[],
): Promise<Mail | null> {
  if (notices.length === 0) return null;
  const company = await db.collection("companies").findOne({ _id: companyId });
  const user = await db.forCompany(companyId).collection("users").findOne({ _id: userId });
  if (company?.status !== "active" || user?.status !== "active") return null;
  const email = confirmedAddressOf(user);
  if (email === null) return null;
  const wanted = notices.filter(({ kind }) => isMailWanted(user, kind));
  const seen = await presentNotifications(db.forCompany(companyId), actorOf(user, company, clock.now()), wanted, true);
  return composeDigest(
    { name: user.name, email },
    address.url,
    seen.filter(({ sop }) => sop !== null),
  );
}

function isMailWanted({ mailChoices }: UserDocument, kind: NotificationDocument["kind"]): boolean {
  const choice = notificationKinds[kind];
  return choice !== null && mailChoicesOf(mailChoices)[choice];
}

function composeDigest(
  { name, email }: { name: string; email: string },
  url: string,
  seen: readonly Notification[],
): Mail | null {
  const [first, ...others] = seen;
  if (!first) return null;
  const sentenceOf = ({ sentence, text }: Notification): Sentence => ({ ...sentence, text });
  const linkOf = ({ link }: Notification) => `${url}${link ?? "/"}`;
  if (others.length === 0)
    return composeMail(email, "notification", { text: sentenceOf(first), name, link: linkOf(first), url });
  const shown = seen.slice(0, linesAtMost).map((notice) => ({ text: sentenceOf(notice), link: linkOf(notice) }));
  const left = seen.length - linesAtMost;
  const items = left > 0 ? [...shown, { text: texts.more({ left }), link: `${url}/` }] : shown;
  return composeMail(email, "notifications", { count: seen.length, name, items, url });
}
