/** Reset links: 32 random bytes, stored as a hash, one use, one hour, the newest alone (`research/security.md` §2.8). */
import { randomBytes } from "node:crypto";
import type { Clock } from "#core/clock.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Database, Transaction } from "../database/port.ts";
import { hashOf } from "../http/session.ts";
import { enqueue, type OutboxHandler } from "../jobs/outbox.ts";
import { composeMail } from "../mail/compose.ts";
import type { SendMail } from "../mail/send.ts";
import { voidResets } from "./end-access.ts";

const validMs = 3_600_000;
/** So many accounts may share an address. */
const accountsAtMost = 5;

export interface IssuedReset {
  /** A mail with the link is on its way. */
  sent: boolean;
  /** For who has no address: to hand over. Answered once, stored nowhere. */
  link?: string;
}

/**
 * Older links of the user are void from now on. In the caller's transaction, which also writes the audit row.
 * @param url where people reach this server
 */
export async function issuePasswordReset(
  tx: Transaction<Collections>,
  { user, at, url }: { user: Pick<UserDocument, "_id" | "companyId" | "email">; at: string; url: string },
): Promise<IssuedReset> {
  if (user.email === null) return { sent: false, link: linkWith(url, await newReset(tx, user, null, at)) };
  await voidResets(tx, user._id);
  await enqueue(tx, { companyId: user.companyId, kind: "password-reset", payload: { userId: user._id }, at });
  return { sent: true };
}

async function newReset(
  tx: Transaction<Collections>,
  user: Pick<UserDocument, "_id" | "companyId">,
  mailedTo: string | null,
  at: string,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await voidResets(tx, user._id);
  await tx.collection("password_resets").insertOne({
    _id: hashOf(token),
    userId: user._id,
    mailedTo,
    companyId: user.companyId,
    expiresAt: new Date(Date.parse(at) + validMs).toISOString(),
    usedAt: null,
    createdAt: at,
  });
  return token;
}

const linkWith = (url: string, token: string) => `${url}/reset-password?token=${token}`;

export interface ResetMails {
  db: Database<Collections>;
  clock: Clock;
  address: { url: string };
}

/**
 * Makes the link when the mail leaves, so that its token never waits in the outbox. A mail that is tried again brings a
 * link of its own, and the one before it is void.
 */
export function passwordResetHandler({ db, clock, address }: ResetMails, send: SendMail): OutboxHandler {
  return async ({ payload }) => {
    const user = await db.collection("users").findOne({ _id: String(payload["userId"]) });
    const company = user && (await db.collection("companies").findOne({ _id: user.companyId }));
    const to = user?.email;
    if (!to || user.status !== "active" || company?.status !== "active") return;
    const token = await db.transaction((tx) => newReset(tx, user, to, clock.now()));
    const values = { name: user.name, username: user.username, link: linkWith(address.url, token), url: address.url };
    await send(await composeMail(to, "password-reset", values));
  };
}

/** Active users with this address; whether their company is active is asked when the mail leaves. */
export async function usersWithEmail(db: Database<Collections>, email: string): Promise<UserDocument[]> {
  const spellings = [...new Set([email, email.toLowerCase()])];
  return db.collection("users").find(
    { email: { $in: spellings }, status: "active" },
    // who has shown that the mailbox is his is not crowded out by accounts that others made with its address
    { sort: { emailVerified: -1, createdAt: 1 }, limit: accountsAtMost },
  );
}
