/** Checking a name and a password: alike in answer and work whether or not the name exists (`research/security.md` §2). */
import { AppError } from "#core/errors.ts";
import { inTurn } from "../companies/turns.ts";
import type { UserDocument } from "../database/documents.ts";
import type { Origin } from "../http/call.ts";
import type { Attempt, Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { recordAccount } from "./record.ts";

const refused = "The username or the password is wrong";

type Needs = Pick<Services, "db" | "clock" | "companies" | "passwords">;

export interface Credentials extends Attempt {
  password: string;
}

/**
 * The tries of one name take turns: the limits count failures one by one, however many arrive at once, and right
 * passwords never count.
 * @throws AppError unauthenticated, rate_limited, busy
 */
export function checkCredentials(
  services: Needs,
  limiters: Limiters,
  credentials: Credentials,
  origin: Origin,
): Promise<UserDocument> {
  return inTurn(`sign-in ${credentials.username}`, () => check(services, limiters, credentials, origin));
}

async function check(
  { db, clock, companies, passwords }: Needs,
  limiters: Limiters,
  { password, ...attempt }: Credentials,
  origin: Origin,
): Promise<UserDocument> {
  const user = await db.collection("users").findOne({ username: attempt.username });
  const refusal = await limiters.refuseSignIn(attempt);
  if (refusal) {
    if (user && refusal.first)
      await recordAccount(db, { user, action: "account.sign_in_limited", at: clock.now(), origin });
    throw new AppError("rate_limited", undefined, { retryAfterSeconds: refusal.retryAfterSeconds });
  }
  const matches = await passwords.verify(user?.password ?? null, password);
  if (!user || !matches) {
    await limiters.signInFailed(attempt);
    if (user) await recordAccount(db, { user, action: "account.sign_in_failed", at: clock.now(), origin });
    else await limiters.strangerFailed();
    throw new AppError("unauthenticated", refused);
  }
  const company = await companies.get(user.companyId);
  if (user.status !== "active" || company?.status !== "active") {
    await limiters.signInFailed(attempt);
    await recordAccount(db, { user, action: "account.sign_in_denied", at: clock.now(), origin });
    throw new AppError("unauthenticated", refused);
  }
  await limiters.signInSucceeded(attempt);
  if (passwords.isOutdated(user.password)) {
    const renewed = await passwords.hash(password);
    await db.collection("users").updateOne({ _id: user._id, password: user.password }, { $set: { password: renewed } });
  }
  return user;
}
