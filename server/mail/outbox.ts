/**
 * Sends emails through the outbox: queued in the transaction of their cause, sent after the commit, retried after
 * failures.
 */
import type { Sentence } from "#core/language/catalog.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Store } from "../database/port.ts";
import { enqueueOutboxItem, type OutboxHandler } from "../jobs/outbox.ts";
import { composeMail, type MailTemplate } from "./compose.ts";
import { safeUsernameForEmail } from "./plain-text.ts";
import type { SendMail } from "./send.ts";

export interface MailOrder {
  companyId: string;
  to: string | null;
  template: MailTemplate;
  values: Readonly<Record<string, string | Sentence>>;
  at: string;
}

/**
 * Returns the name and username of a recipient for an email. A stranger can have chosen the username and entered the
 * address, so only a confirmed address gets the exact username.
 */
export function recipientNamesOf({
  name,
  username,
  emailVerified,
}: Pick<UserDocument, "name" | "username" | "emailVerified">) {
  return { name, username: emailVerified ? username : safeUsernameForEmail(username) };
}

/**
 * Returns the address for news about an account; null without a confirmed address. An unconfirmed address can be a
 * stranger's, so it only gets links to confirm the address and to set a password.
 */
export function confirmedAddressOf({
  email,
  emailVerified,
}: Pick<UserDocument, "email" | "emailVerified">): string | null {
  return emailVerified ? email : null;
}

/** Queues an email. Does nothing if the address is null. */
export async function queueMail(
  store: Store<Collections>,
  { companyId, to, template, values, at }: MailOrder,
): Promise<void> {
  if (to === null) return;
  await enqueueOutboxItem(store, { companyId, kind: "mail", payload: { to, template, values }, at });
}

export function createMailHandler(send: SendMail): OutboxHandler {
  return async ({ _id, createdAt, payload }, signal) => {
    const { to, template, values } = payload as { to: string; template: MailTemplate; values: MailOrder["values"] };
    await send(composeMail(to, template, values), { id: _id, at: createdAt, signal });
  };
}
