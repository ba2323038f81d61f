/**
 * Creates reset links: 32 random bytes, stored as a hash, one use, one hour, only the latest (`docs/security.md`, Ways
 * in).
 */
import { randomBytes } from "node:crypto";
import type { Clock } from "#core/clock.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Database, Transaction } from "../database/port.ts";
import { hashOf } from "../http/session.ts";
import { enqueueOutboxItem, type OutboxHandler } from "../jobs/outbox.ts";
import type { Keyring } from "../keys/keyring.ts";
import { pathOfSealedField } from "../keys/sealed-values.ts";
import { composeMail } from "../mail/compose.ts";
import { recipientNamesOf } from "../mail/outbox.ts";
import type { SendMail } from "../mail/send.ts";
import { deleteResetLinks } from "./end-access.ts";

const validMs = 3_600_000;
/** The time for which the link is kept until the email is sent. From then on, the link is valid for an hour. */
const unsentMs = 24 * 3_600_000;
/** The maximum number of accounts that may share an address. */
const accountsAtMost = 5;

export interface IssuedReset {
  /** True if an email with the link is queued. */
  sent: boolean;
  /**
   * The link that the administrator gives to a user without an address; absent if an email is queued. No one can read
   * the link again.
   */
  link?: string;
}

type ResetUser = Pick<UserDocument, "_id" | "companyId" | "email">;

interface ResetIssue {
  user: ResetUser;
  at: string;
  /** The server's public address. */
  url: string;
}

/** Emails a link to a user with an address, or returns it for one without. Cancels the user's older links. */
export async function issuePasswordReset(
  tx: Transaction<Collections>,
  keys: Pick<Keyring, "seal">,
  { user, at, url }: ResetIssue,
): Promise<IssuedReset> {
  if (user.email === null) return { sent: false, link: await createResetLinkToHandOver(tx, { user, at, url }) };
  const token = await createResetToken(tx, user, { mailedTo: user.email, at, validMs: unsentMs });
  const id = hashOf(token);
  const payload = {
    userId: user._id,
    reset: id,
    token: keys.seal(token, pathOfSealedField("password_resets", id, "token")),
  };
  await enqueueOutboxItem(tx, { companyId: user.companyId, kind: "password-reset", payload, at });
  return { sent: true };
}

/**
 * Creates a reset link without an email.
 * @returns the link, which the caller gives to the user
 */
export async function createResetLinkToHandOver(
  tx: Transaction<Collections>,
  { user, at, url }: ResetIssue,
): Promise<string> {
  return resetLinkOf(url, await createResetToken(tx, user, { mailedTo: null, at, validMs }));
}

async function createResetToken(
  tx: Transaction<Collections>,
  user: ResetUser,
  { mailedTo, at, validMs: ms }: { mailedTo: string | null; at: string; validMs: number },
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await deleteResetLinks(tx, user._id);
  await tx.collection("password_resets").insertOne({
    _id: hashOf(token),
    userId: user._id,
    mailedTo,
    companyId: user.companyId,
    expiresAt: timeAfter(at, ms),
    usedAt: null,
    createdAt: at,
  });
  return token;
}

const resetLinkOf = (url: string, token: string) => `${url}/reset-password?token=${token}`;
const timeAfter = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

export interface ResetMailServices {
  db: Database<Collections>;
  clock: Clock;
  keys: Pick<Keyring, "seal" | "open">;
  address: { url: string };
}

/**
 * Creates the handler that emails the link. A repeated attempt sends the same link, which is valid for an hour from
 * that attempt. A link that was used or canceled isn't sent.
 */
export function createResetMailHandler({ db, clock, keys, address }: ResetMailServices, send: SendMail): OutboxHandler {
  return async ({ _id, createdAt, payload }, signal) => {
    const { userId, reset, token } = payload as { userId: string; reset: string; token: string };
    const user = await db.collection("users").findOne({ _id: userId });
    const company = user && (await db.collection("companies").findOne({ _id: user.companyId }));
    if (!user?.email || user.status !== "active" || company?.status !== "active") return;
    const sent = await db
      .collection("password_resets")
      .updateOne(
        { _id: reset, mailedTo: user.email, usedAt: null },
        { $set: { expiresAt: timeAfter(clock.now(), validMs) } },
      );
    if (sent.matchedCount === 0) return;
    const opened = keys.open(token, pathOfSealedField("password_resets", reset, "token"));
    if (!opened.ok) {
      // a server with other keys queued the email, so it is queued again with this server's keys
      await db.transaction((tx) => issuePasswordReset(tx, keys, { user, at: clock.now(), url: address.url }));
      return;
    }
    const link = resetLinkOf(address.url, opened.text);
    // a stranger may have chosen the names of an account with an unconfirmed address
    const mail = user.emailVerified
      ? composeMail(user.email, "password-reset", { ...recipientNamesOf(user), link })
      : composeMail(user.email, "password-reset-unconfirmed", { link });
    await send(mail, { id: _id, at: createdAt, signal });
  };
}

/**
 * Finds active users with this address, at most five. The handler that emails the link checks that their company is
 * active.
 */
export async function findUsersWithEmail(db: Database<Collections>, email: string): Promise<UserDocument[]> {
  const spellings = [...new Set([email, email.toLowerCase()])];
  return db.collection("users").find(
    { email: { $in: spellings }, status: "active" },
    // users who confirmed the address come first, so that other accounts with the address can't displace them
    { sort: { emailVerified: -1, createdAt: 1 }, limit: accountsAtMost },
  );
}
