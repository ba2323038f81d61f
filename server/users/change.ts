/**
 * Changes a user's record in one transaction: the record, the access that it ends, the number of users, and the audit
 * row.
 */
import type { UserUpdate } from "#core/users/schema.ts";
import { initialsOf } from "#core/users/rules.ts";
import { AppError } from "#core/errors.ts";
import { searchKeysOfPerson } from "#core/search-keys.ts";
import { looksToStore } from "#core/users/looks.ts";
import { endAccess, deleteResetLinks } from "../sign-in/end-access.ts";
import { decrementUserCount, incrementUserCount } from "../sign-in/store.ts";
import { changedFieldValues } from "../audit/record.ts";
import type { PlainAction } from "../effects/events.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { updatedOptionalText } from "../companies/record.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import { recipientNamesOf, confirmedAddressOf, queueMail } from "../mail/outbox.ts";
import { removeMembershipsAndPermissions } from "../teams/store.ts";
import { assertEmailFree, assertNameFree, assertPersonalName, notifyOfRename } from "./own-identity.ts";
import { hashAcceptedPassword } from "./password.ts";
import type { ReachableUsers } from "./reach.ts";
import { assertRolesAssignable, assertNotLastAdministrator, assertOwnChange } from "./managed-roles.ts";

/**
 * Changes a user.
 * @throws AppError not_found, forbidden, conflict (the last administrator, another company), limit_reached
 */
export async function changeUser(
  services: Services,
  call: SignedInCall,
  reach: ReachableUsers,
  id: string,
  input: UserUpdate,
): Promise<UserDocument> {
  const { db, clock, companies, address } = services;
  const { user: caller } = call.identity;
  const target = await reach.find(db, caller, id);
  const isOwn = target._id === caller._id;
  if (!isOwn) assertRolesAssignable(caller.role, target.role, input.role ?? target.role);
  reach.assertStays(target, input.companyId);
  const passwordHash = input.password && !isOwn ? await hashAcceptedPassword(services, input.password, target) : null;
  const at = clock.now();
  const user = await transactionFor(db, target.companyId, async (tx) => {
    const before = await reach.find(tx, caller, id);
    const after = userAfterChange(before, input, { at, namedBy: isOwn ? null : caller._id });
    if (isOwn) assertOwnChange(before, after, Boolean(input.password));
    else assertRolesAssignable(caller.role, before.role, after.role);
    const changes = changedFieldValues(auditedUserFields(before), auditedUserFields(after));
    if (passwordHash !== null) changes["password"] = { from: "•", to: "•" };
    if (Object.keys(changes).length === 0) return before;
    if (changes["status"]?.to === "deleted" && before.permissions.length > 0)
      changes["permissions"] = { from: before.permissions.map(({ permission }) => permission), to: [] };
    await assertNotLastAdministrator(tx, before, after);
    if (after.name !== before.name) {
      assertPersonalName(after.name);
      if (isOwn) await assertNameFree(tx, before, after.name);
    }
    const comesBack = before.status === "deleted" && after.status !== "deleted";
    if (comesBack || after.email !== before.email) await assertEmailFree(tx, before, after.email);
    await notifyOfRename(tx, { before, after: after.name, actor: caller, at });
    await updateUserCount(tx, before, after);
    const { _id, ...set } = {
      ...after,
      ...(passwordHash === null ? {} : { password: passwordHash, passwordChangedAt: at }),
    };
    await tx.collection("users").updateOne({ _id }, { $set: changedFieldsOf(before, set) });
    if (passwordHash !== null || before.role !== after.role || before.status !== after.status) {
      await endAccess(tx, before);
      if (after.status === "deleted") {
        await removeMembershipsAndPermissions(tx, before.companyId, _id);
        await tx.forCompany(before.companyId).collection("notifications").deleteMany({ userId: _id });
      }
    } else if (before.email !== after.email) {
      // reset links in the old mailbox must not open the account
      await deleteResetLinks(tx, _id);
    }
    if (passwordHash !== null) {
      const values = { ...recipientNamesOf(after), at, url: address.url };
      await queueMail(tx, {
        companyId: after.companyId,
        to: confirmedAddressOf(after),
        template: "password-changed",
        at,
        values,
      });
    }
    await recordChange(
      tx,
      call,
      {
        companyId: before.companyId,
        at,
        hears: {
          // approvals change too, because an approver may have lost or regained access or the permission to approve
          resources: [
            "users",
            "companies",
            "company",
            "me",
            ...(before.status === after.status && before.role === after.role ? [] : (["approvals"] as const)),
          ],
        },
      },
      {
        action: auditActionOfChange(before, after),
        entityType: "user",
        entityId: _id, // the log keeps the user's name after the account is deleted
        changes: { name: after.name, ...changes },
      },
    );
    return { _id, ...set };
  });
  companies.forget(target.companyId);
  companies.forgetPeople(target.companyId);
  return user;
}

function userAfterChange(
  before: UserDocument,
  input: UserUpdate,
  { at, namedBy }: { at: string; namedBy: string | null },
): UserDocument {
  const name = input.name ?? before.name;
  const email = updatedOptionalText(input.email, before.email);
  const after: UserDocument = {
    ...before,
    name,
    // initials follow the name unless the user chose them
    initials: before.initials === initialsOf(before.name) ? initialsOf(name) : before.initials,
    email,
    ...(email === before.email ? {} : { emailVerified: false, emailNamedBy: namedBy }),
    department: updatedOptionalText(input.department, before.department),
    title: updatedOptionalText(input.title, before.title),
    phone: updatedOptionalText(input.phone, before.phone),
    role: input.role ?? before.role,
    status: input.status ?? before.status,
    updatedAt: at,
  };
  return { ...after, ...searchKeysOfPerson(after), looks: looksToStore(after, before.looks) };
}

function auditedUserFields({ name, initials, email, department, title, phone, role, status }: UserDocument) {
  return { name, initials, email, department, title, phone, role, status };
}

/** Returns only the changed fields, so that simultaneous changes (a sign-in, a team) aren't overwritten. */
function changedFieldsOf(before: UserDocument, after: Partial<UserDocument>): Partial<UserDocument> {
  const known: Readonly<Record<string, unknown>> = { ...before };
  return Object.fromEntries(
    Object.entries(after).filter(([field, value]) => JSON.stringify(known[field]) !== JSON.stringify(value)),
  );
}

async function updateUserCount(tx: Transaction<Collections>, before: UserDocument, after: UserDocument): Promise<void> {
  const [had, has] = [before.status !== "deleted", after.status !== "deleted"];
  if (had && !has) await decrementUserCount(tx, before.companyId);
  if (had || !has) return;
  const company = await tx.collection("companies").findOne({ _id: before.companyId });
  if (!company) throw new AppError("not_found");
  await incrementUserCount(tx, company);
}

function auditActionOfChange(before: UserDocument, after: UserDocument): PlainAction {
  if (before.status === after.status) return "user.update";
  return ({ active: "user.activate", suspended: "user.suspend", deleted: "user.delete" } as const)[after.status];
}
