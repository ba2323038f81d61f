/**
 * Proves that an address belongs to the user who entered it, by a one-time link. The link is emailed to the address;
 * the database has its hash.
 */
import { randomBytes } from "node:crypto";
import type { Clock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Database, Transaction } from "../database/port.ts";
import { recordChange } from "../effects/record.ts";
import type { Origin } from "../http/call.ts";
import { hashOf } from "../http/secrets.ts";
import type { Services } from "../http/services.ts";
import { enqueueOutboxItem, type OutboxHandler } from "../jobs/outbox.ts";
import type { Keyring } from "../keys/keyring.ts";
import { pathOfSealedField } from "../keys/sealed-values.ts";
import { composeMail } from "../mail/compose.ts";
import type { SendMail } from "../mail/send.ts";
import { refusals } from "./refusals.ts";

export const confirmationKind = "email-confirmation";
const validMs = 24 * 3_600_000;
/** The time for which the link is kept until the email is sent. From then on, the link is valid for a day. */
const unsentMs = 48 * 3_600_000;

const addMilliseconds = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

/**
 * Queues the email with a link that confirms the user's address. Earlier links of the user no longer work. Queues
 * nothing for a user without an address, or with a confirmed address.
 */
export async function queueConfirmationMail(
  tx: Transaction<Collections>,
  keys: Pick<Keyring, "seal">,
  user: Pick<UserDocument, "_id" | "companyId" | "email" | "emailVerified">,
  at: string,
): Promise<void> {
  const { _id: userId, companyId, email } = user;
  const confirmations = tx.collection("email_confirmations");
  await confirmations.deleteMany({ userId });
  if (email === null || user.emailVerified) return;
  const token = randomBytes(32).toString("base64url");
  const id = hashOf(token);
  await confirmations.insertOne({
    _id: id,
    userId,
    companyId,
    email,
    expiresAt: addMilliseconds(at, unsentMs),
    createdAt: at,
  });
  const payload = {
    userId,
    confirmation: id,
    token: keys.seal(token, pathOfSealedField("email_confirmations", id, "token")),
  };
  await enqueueOutboxItem(tx, { companyId, kind: confirmationKind, payload, at });
}

interface ConfirmEmailServices {
  db: Database<Collections>;
  clock: Clock;
  keys: Pick<Keyring, "seal" | "open">;
  address: { url: string };
}

export function createConfirmationMailHandler(
  { db, clock, keys, address }: ConfirmEmailServices,
  send: SendMail,
): OutboxHandler {
  return async ({ _id, createdAt, payload }, signal) => {
    const { userId, confirmation, token } = payload as { userId: string; confirmation: string; token: string };
    const user = await db.collection("users").findOne({ _id: userId, status: "active" });
    const company = user && (await db.collection("companies").findOne({ _id: user.companyId }));
    if (!user?.email || user.emailVerified || company?.status !== "active") return;
    const sent = await db
      .collection("email_confirmations")
      .updateOne(
        { _id: confirmation, email: user.email },
        { $set: { expiresAt: addMilliseconds(clock.now(), validMs) } },
      );
    if (sent.matchedCount === 0) return;
    const opened = keys.open(token, pathOfSealedField("email_confirmations", confirmation, "token"));
    if (!opened.ok) {
      // a server with other keys queued the email, so it is queued again with this server's keys
      await db.transaction((tx) => queueConfirmationMail(tx, keys, user, clock.now()));
      return;
    }
    const link = `${address.url}/confirm-email?token=${opened.text}`;
    await send(composeMail(user.email, "email-confirmation", { link }), { id: _id, at: createdAt, signal });
  };
}

/**
 * Confirms the address of a link.
 * @throws AppError invalid_input if the link is unknown, used or expired, or the user's address has changed since
 */
export async function confirmEmail(
  { db, clock }: Pick<Services, "db" | "clock">,
  token: string,
  origin: Origin,
): Promise<void> {
  await db.transaction(async (tx) => {
    const at = clock.now();
    const confirmations = tx.collection("email_confirmations");
    const found = await confirmations.findOne({ _id: hashOf(token), expiresAt: { $gt: at } });
    const used = found && (await confirmations.deleteOne({ _id: found._id }));
    const user =
      found && used === 1
        ? await tx.collection("users").findOne({ _id: found.userId, email: found.email, status: "active" })
        : null;
    if (!user) throw new AppError("invalid_input", refusals.invalidLink(), { token: refusals.invalidLink() });
    await tx.collection("users").updateOne({ _id: user._id }, { $set: { emailVerified: true, updatedAt: at } });
    await recordChange(
      tx,
      { user, origin },
      { companyId: user.companyId, at, hears: { resources: ["users", "me"] } },
      { action: "account.email_confirmed", entityType: "user", entityId: user._id, changes: { email: user.email } },
    );
  });
}
