/**
 * Checks a name and a password. The answer and the time are the same whether or not the name exists
 * (`docs/security.md`).
 */
import { AppError } from "#core/errors.ts";
import type { Update } from "../database/port.ts";
import { runInTurn } from "../database/turns.ts";
import type { UserDocument } from "../database/documents.ts";
import type { Origin } from "../http/call.ts";
import { withCaller, type Caller } from "../capacity/caller.ts";
import type { Limiters } from "../http/limiters.ts";
import { networkPrefix } from "../http/network.ts";
import type { SignInAttempt } from "../http/sign-in-limits.ts";
import type { Services } from "../http/services.ts";
import { recordAccountEvent, type AccountEvent } from "./record.ts";
import { refusals } from "./refusals.ts";

type SignInServices = Pick<Services, "db" | "clock" | "companies" | "passwords">;

export interface Credentials extends Omit<SignInAttempt, "companyId"> {
  password: string;
}

/**
 * Checks a username and a password, and returns the user. Attempts for the same username run one after the other, so
 * that the limits count each of several simultaneous failures. Correct passwords never count.
 * @throws AppError unauthenticated, rate_limited, busy
 */
export function checkCredentials(
  services: SignInServices,
  limiters: Limiters,
  credentials: Credentials,
  origin: Origin,
): Promise<UserDocument> {
  return runInTurn(`sign-in ${credentials.username}`, () => checkPassword(services, limiters, credentials, origin));
}

async function checkPassword(
  { db, clock, companies, passwords }: SignInServices,
  limiters: Limiters,
  { password, ...given }: Credentials,
  origin: Origin,
): Promise<UserDocument> {
  const user = await db.collection("users").findOne({ username: given.username });
  const attempt: SignInAttempt = { ...given, companyId: user?.companyId ?? null };
  /** Records the attempt. An unknown name needs as many writes as a known name, so that the timing reveals nothing. */
  const recordAttempt = (action: AccountEvent["action"]) =>
    user ? recordAccountEvent(db, { user, action, at: clock.now(), origin }) : limiters.signIn.countUnknown();
  const recordFailure = async (action: AccountEvent["action"]) => {
    await recordAttempt(action);
    if (await limiters.signIn.failed(attempt)) await recordAttempt("account.sign_in_limited");
  };
  const { stranger } = await limiters.signIn.check(attempt);
  const place = user && !stranger ? { companyId: user.companyId, userId: user._id } : unknownCallerOf(attempt);
  const matches = await withCaller(place, () => passwords.verify(user?.password ?? null, password));
  if (!user || !matches) {
    await recordFailure("account.sign_in_failed");
    throw new AppError("unauthenticated", refusals.wrongSignIn());
  }
  const company = await companies.get(user.companyId);
  if (company === null) throw new AppError("damaged");
  if (user.status !== "active" || company.status !== "active") {
    await recordFailure("account.sign_in_denied");
    throw new AppError("unauthenticated", refusals.wrongSignIn());
  }
  await limiters.signIn.succeeded(attempt);
  if (user.password !== null && passwords.isOutdated(user.password)) {
    const renewed = await passwords.hash(password);
    const set: Update<UserDocument> = { $set: { password: renewed } };
    await db.collection("users").updateOne({ _id: user._id, password: user.password }, set);
  }
  return user;
}

/**
 * Returns the caller for the queue of passwords. Strangers of a network count as one caller, and their names take
 * turns.
 */
function unknownCallerOf({ username, address }: SignInAttempt): Caller {
  return { companyId: `address ${networkPrefix(address)}`, userId: `name ${username}` };
}
