/** Checks a name and a password, with the same answer and work whether or not the name exists (`docs/security.md`). */
import { AppError } from "#core/errors.ts";
import { inTurn } from "../database/turns.ts";
import type { UserDocument } from "../database/documents.ts";
import { ignoreFullDisk } from "../database/postponed.ts";
import type { Origin } from "../http/call.ts";
import type { Attempt, Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { recordAccountRead, type AccountEvent } from "./record.ts";

const refused = "The username or the password is wrong";

type Needs = Pick<Services, "db" | "clock" | "companies" | "passwords" | "postponed">;

export interface Credentials extends Attempt {
  password: string;
}

/**
 * Tries for one name take turns. So the limits count simultaneous failures one by one, and correct passwords never
 * count.
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
  { db, clock, companies, passwords, postponed }: Needs,
  limiters: Limiters,
  { password, ...attempt }: Credentials,
  origin: Origin,
): Promise<UserDocument> {
  const user = await db.collection("users").findOne({ username: attempt.username });
  const record = (who: UserDocument, action: AccountEvent["action"]) =>
    recordAccountRead({ db, postponed }, { user: who, action, at: clock.now(), origin });
  const refusal = await limiters.refuseSignIn(attempt);
  if (refusal) {
    if (user && refusal.first) await record(user, "account.sign_in_limited");
    throw new AppError("rate_limited", undefined, { retryAfterSeconds: refusal.retryAfterSeconds });
  }
  const matches = await passwords.verify(user?.password ?? null, password);
  if (!user || !matches) {
    await limiters.signInFailed(attempt);
    if (user) await record(user, "account.sign_in_failed");
    else await limiters.strangerFailed();
    throw new AppError("unauthenticated", refused);
  }
  const company = await companies.get(user.companyId);
  if (user.status !== "active" || company?.status !== "active") {
    await limiters.signInFailed(attempt);
    await record(user, "account.sign_in_denied");
    throw new AppError("unauthenticated", refused);
  }
  await limiters.signInSucceeded(attempt);
  if (passwords.isOutdated(user.password)) {
    const renewed = await passwords.hash(password);
    const set = { $set: { password: renewed } };
    await db.collection("users").updateOne({ _id: user._id, password: user.password }, set).catch(ignoreFullDisk);
  }
  return user;
}
