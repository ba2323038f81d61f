/** Making accounts: the one way in for register, set-up, ADMIN_* and the demo. */
import type { Role } from "#core/access/roles.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { initialsOf } from "#core/users/rules.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import { DuplicateKeyError, type Transaction } from "../database/port.ts";

export interface NewAccount {
  companyId: string;
  username: string;
  email: string | null;
  passwordHash: string;
  name: string;
  role: Role;
  at: string;
  department?: string;
  title?: string;
}

/** Takes a place in the company and inserts the user. @throws AppError limit_reached, conflict (username taken) */
export async function createAccount(tx: Transaction<Collections>, account: NewAccount): Promise<UserDocument> {
  const companies = tx.collection("companies");
  const company = await companies.findOne({ _id: account.companyId });
  if (!company) throw new AppError("not_found");
  const place = await companies.updateOne(
    { _id: company._id, userCount: { $lt: company.maxUsers } },
    { $inc: { userCount: 1 } },
  );
  if (place.matchedCount === 0) {
    throw new AppError("limit_reached", `The company has all of its ${company.maxUsers} users`);
  }
  const user: UserDocument = {
    _id: newId(),
    companyId: company._id,
    username: account.username,
    email: account.email,
    password: account.passwordHash,
    name: account.name,
    role: account.role,
    initials: initialsOf(account.name),
    department: account.department ?? null,
    title: account.title ?? null,
    phone: null,
    avatar: null,
    status: "active",
    emailVerified: false,
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
      throw new AppError("conflict", "This username is taken", { username: "This username is taken" });
    throw error;
  }
  return user;
}
