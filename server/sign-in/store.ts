/** Creates accounts, for register, set-up, ADMIN_* and the demo. */
import type { Role } from "#core/permissions/roles.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { searchKeysOfPerson } from "#core/search-keys.ts";
import { initialsOf } from "#core/users/rules.ts";
import { looksToStore } from "#core/users/looks.ts";
import type { Collections, CompanyDocument, UserDocument } from "../database/documents.ts";
import { DuplicateKeyError, type Transaction } from "../database/port.ts";
import { assertEmailFree, assertUsernameFree } from "../users/own-identity.ts";
import { refusals } from "./refusals.ts";

export interface NewAccount {
  companyId: string;
  username: string;
  email: string | null;
  /** The hash of the password; null if the user signs in without a password. */
  passwordHash: string | null;
  name: string;
  role: Role;
  at: string;
  department?: string | null;
  title?: string | null;
  phone?: string | null;
  status?: UserDocument["status"];
  /** True if the user has proven to own the email address. */
  emailVerified?: boolean;
  /** The id of the administrator who entered the address. */
  emailNamedBy?: string;
}

/**
 * Inserts the user and counts it in the company.
 * @throws AppError limit_reached, or conflict if the username or email is taken or the username is the product's
 */
export async function createAccount(tx: Transaction<Collections>, account: NewAccount): Promise<UserDocument> {
  assertUsernameFree(account);
  const company = await tx.collection("companies").findOne({ _id: account.companyId });
  if (!company || company.status === "deleted") throw new AppError("not_found");
  if (account.status !== "deleted") {
    await incrementUserCount(tx, company);
    await assertEmailFree(tx, account, account.email);
  }
  const user: UserDocument = {
    _id: newId(),
    companyId: company._id,
    username: account.username,
    email: account.email,
    password: account.passwordHash,
    name: account.name,
    ...searchKeysOfPerson(account),
    looks: looksToStore(account),
    role: account.role,
    initials: initialsOf(account.name),
    department: account.department ?? null,
    title: account.title ?? null,
    phone: account.phone ?? null,
    avatar: null,
    status: account.status ?? "active",
    emailVerified: account.emailVerified ?? false,
    emailNamedBy: account.emailNamedBy ?? null,
    openaiApiKey: null,
    aiFeaturesEnabled: true,
    lastLoginAt: null,
    passwordChangedAt: account.at,
    teamIds: [],
    sessionVersion: 1,
    permissions: [],
    mailChoices: {},
    createdAt: account.at,
    updatedAt: account.at,
  };
  try {
    await tx.collection("users").insertOne(user);
  } catch (error) {
    if (error instanceof DuplicateKeyError)
      throw new AppError("conflict", refusals.usernameTaken(), { username: refusals.usernameTaken() });
    throw error;
  }
  return user;
}

/** Counts a user in the company. Suspended users count, deleted ones don't. @throws AppError limit_reached */
export async function incrementUserCount(
  tx: Transaction<Collections>,
  { _id, maxUsers }: Pick<CompanyDocument, "_id" | "maxUsers">,
): Promise<void> {
  const place = await tx
    .collection("companies")
    .updateOne({ _id, userCount: { $lt: maxUsers } }, { $inc: { userCount: 1 } });
  if (place.matchedCount === 0) throw new AppError("limit_reached", refusals.fullCompany({ maxUsers }));
}

export async function decrementUserCount(tx: Transaction<Collections>, companyId: string): Promise<void> {
  await tx.collection("companies").updateOne({ _id: companyId }, { $inc: { userCount: -1 } });
}
