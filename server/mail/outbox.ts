/** Emails go through the outbox: ordered in the transaction they tell of, sent after the commit, tried again when sending fails. */
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Store } from "../database/port.ts";
import { enqueue, type OutboxHandler } from "../jobs/outbox.ts";
import { composeMail, type MailTemplate } from "./compose.ts";
import { plainUsername } from "./plain-text.ts";
import type { SendMail } from "./send.ts";

export interface MailOrder {
  companyId: string;
  to: string | null;
  template: MailTemplate;
  values: Readonly<Record<string, string>>;
  at: string;
}

/** Who the email is to. The username is exact only at an address that the user confirmed: strangers choose usernames too. */
export function addressed({
  name,
  username,
  emailVerified,
}: Pick<UserDocument, "name" | "username" | "emailVerified">) {
  return { name, username: emailVerified ? username : plainUsername(username) };
}

/**
 * Where news about an account goes. An address that is not confirmed may be a stranger's: it gets links to confirm it and
 * to set a password, and nothing else.
 */
export function confirmedAddress({
  email,
  emailVerified,
}: Pick<UserDocument, "email" | "emailVerified">): string | null {
  return emailVerified ? email : null;
}

/** Sends nothing to a user without an address. */
export async function orderMail(
  store: Store<Collections>,
  { companyId, to, template, values, at }: MailOrder,
): Promise<void> {
  if (to === null) return;
  await enqueue(store, { companyId, kind: "mail", payload: { to, template, values }, at });
}

export function mailHandler(send: SendMail): OutboxHandler {
  return async ({ _id, createdAt, payload }, signal) => {
    const { to, template, values } = payload as { to: string; template: MailTemplate; values: Record<string, string> };
    await send(await composeMail(to, template, values), { id: _id, at: createdAt, signal });
  };
}
