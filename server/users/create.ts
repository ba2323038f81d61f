import type { UserCreate } from "#core/users/schema.ts";
import { AppError } from "#core/errors.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { createResetLinkToHandOver, issuePasswordReset } from "../sign-in/issue-reset.ts";
import { createAccount } from "../sign-in/store.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { updatedOptionalText } from "../companies/record.ts";
import { transactionFor } from "../database/turns.ts";
import type { UserDocument } from "../database/documents.ts";
import { DuplicateKeyError } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import { recipientNamesOf, queueMail } from "../mail/outbox.ts";
import { findSimilarNameNote, assertPersonalName } from "./own-identity.ts";
import { hashAcceptedPassword, hashUnknownPassword } from "./password.ts";
import type { ReachableUsers } from "./reach.ts";
import { assertRolesAssignable } from "./managed-roles.ts";
import { refusals } from "./refusals.ts";

export interface CreatedUser {
  user: UserDocument;
  /** A link to choose a password, for a user who has no password and gets no email. Returned once. */
  link?: string;
  /** A note on another user whose name looks like this user's; absent without one. */
  note?: MessageWithId | undefined;
}

/**
 * Creates a user.
 * @param emails whether the user gets an email, if there is an address
 * @throws AppError forbidden (role), invalid_input (company, password), conflict (username), limit_reached
 */
export async function createUser(
  services: Services,
  call: SignedInCall,
  reach: ReachableUsers,
  input: UserCreate,
  { emails }: { emails: boolean },
): Promise<CreatedUser> {
  const { db, clock, companies, keys, address } = services;
  const { user: caller } = call.identity;
  assertRolesAssignable(caller.role, input.role);
  const companyId = reach.companyFor(caller, input.companyId);
  const company = await db.collection("companies").findOne({ _id: companyId });
  if (!company || company.status === "deleted")
    throw new AppError("invalid_input", refusals.unknownCompany(), { companyId: refusals.unknownCompany() });
  const { username, name, role, status } = input;
  assertPersonalName(name);
  const passwordHash = input.password
    ? await hashAcceptedPassword(services, input.password, { companyId, username, name })
    : await hashUnknownPassword(services);
  const at = clock.now();
  const made = await transactionFor(db, companyId, async (tx): Promise<CreatedUser> => {
    const user = await createAccount(tx, {
      companyId,
      username,
      name,
      role,
      status,
      email: updatedOptionalText(input.email),
      emailNamedBy: caller._id,
      department: updatedOptionalText(input.department),
      title: updatedOptionalText(input.title),
      phone: updatedOptionalText(input.phone),
      passwordHash,
      at,
    });
    await recordChange(
      tx,
      call,
      { companyId, at, hears: { resources: ["users", "companies", "company"] } },
      {
        action: "user.create",
        entityType: "user",
        entityId: user._id,
        changes: { username, name, email: user.email, role, status },
      },
    );
    const note = await findSimilarNameNote(tx, user);
    if (status !== "active") return { user, note };
    const { url } = address;
    if (emails) {
      const values = { ...recipientNamesOf(user), company: company.name, url };
      await queueMail(tx, { companyId, to: user.email, template: "registered", at, values });
    }
    if (input.password) return { user, note };
    if (emails && user.email !== null) {
      await issuePasswordReset(tx, keys, { user, at, url });
      return { user, note };
    }
    return { user, note, link: await createResetLinkToHandOver(tx, { user, at, url }) };
  }).catch(throwUsernameTaken);
  companies.forget(companyId);
  companies.forgetPeople(companyId);
  return made;
}

/** Throws the refusal for a duplicate username, if two requests came at the same moment. */
function throwUsernameTaken(error: unknown): never {
  if (error instanceof DuplicateKeyError)
    throw new AppError("conflict", refusals.usernameTaken(), { username: refusals.usernameTaken() });
  throw error;
}
