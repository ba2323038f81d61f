/**
 * Creates the first system administrator: from ADMIN_*, or by a one-time link. Each start renews the link until it is
 * used.
 */
import { randomBytes } from "node:crypto";
import { AppError } from "#core/errors.ts";
import { isNameOfProduct } from "#core/users/own-names.ts";
import { printedName } from "#core/users/printed-name.ts";
import { ConfigError } from "../config.ts";
import { recordAudit } from "../audit/record.ts";
import { createCompany } from "../companies/create.ts";
import type { UserDocument } from "../database/documents.ts";
import { DamagedDocumentError, DuplicateKeyError } from "../database/port.ts";
import type { Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { hashOf } from "../http/session.ts";
import { assertNotProduct } from "../users/own-identity.ts";
import { createAccount } from "./store.ts";
import { refusals } from "./refusals.ts";

type SetupServices = Pick<Services, "db" | "clock" | "passwords" | "config">;

export interface FirstAdmin {
  username: string;
  password: string;
  name: string;
  company?: string | undefined;
}

/**
 * Says whether a system administrator exists. An administrator whose record can't be read counts too: otherwise a new
 * link would let a stranger become administrator.
 */
export async function hasSystemAdmin({ db }: Pick<Services, "db">): Promise<boolean> {
  try {
    return (await db.collection("users").findOne({ role: "system_admin", status: "active" })) !== null;
  } catch (error) {
    if (!(error instanceof DamagedDocumentError)) throw error;
    return true;
  }
}

/**
 * Creates the first system administrator.
 * @throws AppError conflict when a system administrator exists already, or for a name that looks like the product
 */
export async function createFirstAdmin(
  services: SetupServices,
  admin: FirstAdmin,
  origin: Origin | null,
): Promise<UserDocument> {
  const { db, clock, passwords } = services;
  assertNotProduct(admin.name);
  await passwords.assertAcceptable(admin.password, {
    ownWords: [admin.username, ...(admin.company === undefined ? [] : [admin.company])],
  });
  const passwordHash = await passwords.hash(admin.password);
  return db.transaction(async (tx) => {
    const at = clock.now();
    // of two calls at once, one fails on this document, tries again, and then finds an administrator
    const claim = { $set: { value: admin.username, at } };
    await tx.collection("system").updateOne({ _id: "first-admin" }, claim, { upsert: true });
    if (await tx.collection("users").findOne({ role: "system_admin", status: "active" }))
      throw new AppError("conflict", refusals.administratorExists());
    const name = admin.company ?? "System";
    const company = await createCompany(tx, { name, slug: name, at });
    const user = await createAccount(tx, {
      companyId: company._id,
      username: admin.username,
      email: null,
      passwordHash,
      name: admin.name,
      role: "system_admin",
      at,
    });
    await tx.collection("system").deleteOne({ _id: "setup-token" });
    await recordAudit(tx, {
      companyId: company._id,
      userId: user._id,
      userName: printedName(user),
      action: "account.setup",
      entityType: "user",
      entityId: user._id,
      changes: { username: user.username, role: user.role },
      at,
      origin,
    });
    return user;
  });
}

/** Creates the administrator that ADMIN_* names, if no system administrator exists. @returns whether one exists now */
export async function ensureSystemAdmin(services: SetupServices & Pick<Services, "repositories">): Promise<boolean> {
  if (await hasSystemAdmin(services)) return true;
  const { admin } = services.config;
  if (!admin) return false;
  const { username, password } = admin;
  try {
    const { companyId } = await createFirstAdmin(services, { username, password, name: username }, null);
    services.repositories.wake(companyId);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_input")
      throw new ConfigError([`ADMIN_PASSWORD: ${error.message}`]);
    if (error instanceof AppError && isNameOfProduct(username))
      throw new ConfigError([`ADMIN_USERNAME: ${error.message}`]);
    // another server that started at the same moment may have created the administrator
    if (!(await hasSystemAdmin(services))) throw error;
  }
  return true;
}

/** Creates the one-time token, which replaces the previous token. Only a hash is stored. */
export async function renewSetupToken({ db, clock }: Pick<Services, "db" | "clock">): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  const storeToken = () =>
    db
      .collection("system")
      .updateOne({ _id: "setup-token" }, { $set: { value: hashOf(token), at: clock.now() } }, { upsert: true });
  await storeToken().catch((error: unknown) => {
    // another server stored the first token at the same moment
    if (!(error instanceof DuplicateKeyError)) throw error;
    return storeToken();
  });
  return token;
}

/** Says whether the token is the present one-time token. */
export async function isSetupToken({ db }: Pick<Services, "db">, token: string): Promise<boolean> {
  const stored = await db.collection("system").findOne({ _id: "setup-token" });
  return stored !== null && stored.value === hashOf(token);
}
