/**
 * Registers an account: the first one of a new company, or one with an invitation. No other call registers accounts.
 */
import type { z } from "zod";
import type { Register } from "#core/sign-in/schema.ts";
import { AppError } from "#core/errors.ts";
import { createCompany } from "../companies/create.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, CompanyDocument, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { recordChange } from "../effects/record.ts";
import type { Origin } from "../http/call.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { findOtherOpenInvitations, revokeOpenInvitations } from "../invitations/open-to.ts";
import { recipientNamesOf, confirmedAddressOf, queueMail } from "../mail/outbox.ts";
import { queueConfirmationMail } from "./confirm-email.ts";
import { assertNameFree } from "../users/own-identity.ts";
import { findOpenInvitation, markInvitationUsed } from "./invitations.ts";
import { createAccount } from "./store.ts";
import { refusals } from "./refusals.ts";

type Registration = z.output<typeof Register>;

/**
 * @throws AppError forbidden (closed, invitation not valid), conflict (username), limit_reached, invalid_input
 * (password)
 */
export async function registerUser(
  services: Services,
  limiters: Pick<Limiters, "takeMailTo">,
  form: Registration,
  origin: Origin,
): Promise<UserDocument> {
  const { config, clock, db, passwords, companies, keys, address, repositories } = services;
  if (config.registration === "closed") throw new AppError("forbidden", refusals.registrationClosed());
  if (config.registration === "invite" && form.invite === undefined)
    throw new AppError("forbidden", refusals.invitationNeeded());
  const invited = form.invite === undefined ? null : await findOpenInvitation(db, form.invite, clock.now());
  if (form.invite !== undefined && !invited) throw new AppError("forbidden", refusals.invalidInvitation());
  await passwords.assertAcceptable(form.password, {
    ownWords: [form.username, form.name, ...(invited ? [invited.company.name] : [])],
    companyMinimum: invited?.company.settings.passwordMinimum ?? null,
  });
  const passwordHash = await passwords.hash(form.password);
  const email = form.email || (invited?.invitation.email ?? null);
  const emailVerified = email !== null && invited?.provesEmail === true && email === invited.invitation.email;
  if (email !== null) await limiters.takeMailTo(email);
  const writeRegistration = async (tx: Transaction<Collections>): Promise<UserDocument> => {
    const at = clock.now();
    // checks the invitation again: hashing waits in a queue, and the inviting user may have been suspended since
    if (form.invite !== undefined && !(await findOpenInvitation(tx, form.invite, at)))
      throw new AppError("forbidden", refusals.invalidInvitation());
    const company = invited
      ? invited.company
      : await createCompany(tx, { name: `${form.name}'s company`, slug: form.username, at });
    await assertNameFree(tx, { companyId: company._id }, form.name);
    const made = await createAccount(tx, {
      companyId: company._id,
      username: form.username,
      email,
      emailVerified,
      passwordHash,
      name: form.name,
      role: invited?.invitation.role ?? "company_admin",
      at,
    });
    if (invited) {
      await markInvitationUsed(tx, invited.invitation, made._id, at);
      await revokeOpenInvitations(tx, await findOtherOpenInvitations(tx, invited.invitation, at), at);
    }
    await queueConfirmationMail(tx, keys, made, at);
    await recordRegistration(tx, made, company, {
      origin,
      at,
      url: address.url,
      invitation: invited?.invitation.key ?? null,
    });
    return made;
  };
  const user = await (invited
    ? transactionFor(db, invited.company._id, writeRegistration)
    : db.transaction(writeRegistration));
  companies.forget(user.companyId);
  companies.forgetPeople(user.companyId);
  if (!invited) repositories.wake(user.companyId);
  return user;
}

/** Records the registration, and queues the welcome email if the user's address is confirmed. */
async function recordRegistration(
  tx: Transaction<Collections>,
  user: UserDocument,
  company: CompanyDocument,
  { origin, at, url, invitation }: { origin: Origin; at: string; url: string; invitation: string | null },
): Promise<void> {
  const { username, role } = user;
  const changes = { username, role, company: company.slug, ...(invitation === null ? {} : { invitation }) };
  await recordChange(
    tx,
    { user, origin },
    { companyId: company._id, at, ...(invitation !== null && { hears: { resources: ["users", "invitations"] } }) },
    { action: "account.register", entityType: "user", entityId: user._id, changes },
  );
  const values = { ...recipientNamesOf(user), company: company.name, url };
  await queueMail(tx, { companyId: company._id, to: confirmedAddressOf(user), template: "registered", at, values });
}
