/**
 * Sends the email of an invitation. The outbox stores the token encrypted. Only the email has the token that proves the
 * address in clear text; the inviter gets another link.
 */
import type { Clock } from "#core/clock.ts";
import { invitationStateOf } from "#core/invitations/rules.ts";
import type { Collections, InvitationDocument } from "../database/documents.ts";
import type { Database, Store } from "../database/port.ts";
import { enqueueOutboxItem, type OutboxHandler } from "../jobs/outbox.ts";
import type { Keyring } from "../keys/keyring.ts";
import { pathOfSealedField } from "../keys/sealed-values.ts";
import { composeMail } from "../mail/compose.ts";
import type { SendMail } from "../mail/send.ts";

export const invitationLink = (url: string, token: string) => `${url}/register?invite=${token}`;

/**
 * Queues the email of an invitation.
 * @param token the token of the email's link. Only the email has it, so it proves the address
 */
export async function queueInvitationMail(
  store: Store<Collections>,
  keys: Pick<Keyring, "seal">,
  { companyId, key, createdAt }: InvitationDocument,
  token: string,
): Promise<void> {
  const payload = { companyId, key, token: keys.seal(token, pathOfSealedField("invitations", key, "token")) };
  await enqueueOutboxItem(store, { companyId, kind: "invitation", payload, at: createdAt });
}

interface InvitationMailServices {
  db: Database<Collections>;
  clock: Clock;
  keys: Pick<Keyring, "open">;
  address: { url: string };
}

/** Creates the handler that sends the email, unless the invitation was used, revoked or expired since it was queued. */
export function createInvitationMailHandler(
  { db, clock, keys, address }: InvitationMailServices,
  send: SendMail,
): OutboxHandler {
  return async ({ _id, createdAt, payload }, signal) => {
    const { companyId, key, token } = payload as { companyId: string; key: string; token: string };
    const invitation = await db.forCompany(companyId).collection("invitations").findOne({ key });
    if (!invitation?.email || invitationStateOf(invitation, clock.now()) !== "pending") return;
    const company = await db.collection("companies").findOne({ _id: companyId });
    if (company?.status !== "active") return;
    const opened = keys.open(token, pathOfSealedField("invitations", key, "token"));
    if (!opened.ok) throw new Error(`the invitation's token can't be opened: ${opened.reason}`);
    const values = {
      invitedBy: invitation.invitedByName,
      company: company.name,
      role: invitation.role,
      expiresAt: invitation.expiresAt,
      link: invitationLink(address.url, opened.text),
    };
    await send(composeMail(invitation.email, "invitation", values), { id: _id, at: createdAt, signal });
  };
}
