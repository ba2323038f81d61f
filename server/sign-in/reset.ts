/** Sets a password by a reset link. The transaction that sets the password also marks the link as used. */
import { AppError } from "#core/errors.ts";
import type { Collections, PasswordResetDocument, UserDocument } from "../database/documents.ts";
import type { Store } from "../database/port.ts";
import type { Origin } from "../http/call.ts";
import { hashOf } from "../http/secrets.ts";
import type { Services } from "../http/services.ts";
import { setPassword } from "./set-password.ts";
import { refusals } from "./refusals.ts";

export interface ResetWithUser {
  reset: PasswordResetDocument;
  user: UserDocument;
}

/**
 * Finds the user and record of a reset link.
 * @returns null if the link is unknown, used, canceled or expired, or its user can't sign in
 */
export async function findOpenReset(
  store: Store<Collections>,
  token: string,
  now: string,
): Promise<ResetWithUser | null> {
  const reset = await store.collection("password_resets").findOne({ _id: hashOf(token), ...openResetFilter(now) });
  const user = reset && (await store.collection("users").findOne({ _id: reset.userId, status: "active" }));
  const company = user && (await store.collection("companies").findOne({ _id: user.companyId, status: "active" }));
  if (!reset || !user || !company) return null;
  // a link that was sent to a former address of the user no longer works
  return reset.mailedTo === null || reset.mailedTo === user.email ? { reset, user } : null;
}

/**
 * Sets a password by a reset link.
 * @throws AppError invalid_input for the link or the password
 */
export async function resetPassword(
  services: Services,
  { token, password }: { token: string; password: string },
  origin: Origin,
): Promise<UserDocument> {
  const { db, clock, passwords, companies, address } = services;
  const known = await findOpenReset(db, token, clock.now());
  if (!known) throw invalidLinkError();
  const company = await companies.get(known.user.companyId);
  await passwords.assertAcceptable(password, {
    ownWords: [known.user.username, known.user.name, company?.name ?? ""],
    companyMinimum: company?.settings.passwordMinimum ?? null,
  });
  const passwordHash = await passwords.hash(password);
  return db.transaction(async (tx) => {
    const at = clock.now();
    // checks the link again, because it may have expired during the hashing
    const found = await findOpenReset(tx, token, at);
    if (!found) throw invalidLinkError();
    const used = await tx
      .collection("password_resets")
      .updateOne({ _id: found.reset._id, ...openResetFilter(at) }, { $set: { usedAt: at } });
    if (used.matchedCount === 0) throw invalidLinkError();
    const emailVerified = found.user.emailVerified || found.reset.mailedTo !== null;
    await tx.collection("users").updateOne({ _id: found.user._id }, { $set: { emailVerified } });
    const change = {
      user: { ...found.user, emailVerified },
      passwordHash,
      action: "account.password_reset",
      at,
      origin,
      url: address.url,
    } as const;
    await setPassword(tx, change);
    return found.user;
  });
}

const openResetFilter = (now: string) => ({ usedAt: null, expiresAt: { $gt: now } });

function invalidLinkError(): AppError {
  return new AppError("invalid_input", refusals.invalidResetLink(), { token: refusals.invalidResetLink() });
}
