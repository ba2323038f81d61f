/** Limits the rate of calls that need no sign-in, and of some others (`docs/security.md`, Sign-in limits). */
import type { MessageWithId } from "#core/language/catalog.ts";
import { waitRefusals } from "#core/wait-refusals.ts";
import type { Clock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { addressLimits, limits } from "#core/limits.ts";
import { signInRefusals } from "#core/sign-in/refusals.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { sha256 } from "../hashing.ts";
import { createDatabaseCounters, type LimitCount } from "./limit-counters.ts";
import { networkPrefix, isInNetworks, type NamedNetwork } from "./network.ts";
import { createSignInLimits, type SignInLimits } from "./sign-in-limits.ts";

interface RateLimit {
  points: number;
  seconds: number;
}

/** The limit on tests of an AI key, for each user. */
const keyTests: RateLimit = { points: 5, seconds: 60 };
/** The limit on emails to reset a password, for each address. Strangers can trigger them. */
const resetMails: RateLimit = { points: 5, seconds: 3600 };
/**
 * The limits on emails to an address: those that users send to other people, and those to an address that users say is
 * their own.
 */
const mailsTo: RateLimit = { points: 10, seconds: 3600 };
const ownMails: RateLimit = { points: 20, seconds: 3600 };

/** The limit on links to confirm an address, for each user. The address can belong to a stranger. */
const confirmations: RateLimit = { points: 10, seconds: 24 * 3600 };
const daySeconds = 24 * 3600;
const ownRenames: RateLimit = { points: limits.ownRenamesDay, seconds: daySeconds };

/**
 * The limits on answers that a name is taken. All companies share the usernames, so the answer reveals users of other
 * companies.
 */
const takenNames = {
  user: { points: 20, seconds: 3600 },
  company: { points: 40, seconds: 3600 },
  address: { points: 40, seconds: 3600 },
} as const satisfies Record<string, RateLimit>;

/**
 * A user, or for strangers the network address, who tries a name. A signed-in user's address doesn't count, because
 * other people can share it. Behind an unknown proxy, all companies have the same address.
 */
export type NameCaller = { user: { _id: string; companyId: string } } | { address: string };

export interface Limiters {
  signIn: SignInLimits;
  /** Counts a call against the limit of its address. @throws AppError rate_limited */
  check(name: keyof typeof addressLimits, address: string): Promise<void>;
  /** Counts a test of an AI key. Call before the test. @throws AppError rate_limited */
  takeKeyTest(userId: string): Promise<void>;
  /**
   * Runs work that needs an unused name, and counts it if the name is taken. Over the limit, every name is refused,
   * because otherwise a success would still tell free names from taken ones.
   * @throws AppError rate_limited, and the error of the work
   */
  takeName<T>(caller: NameCaller, work: () => Promise<T>): Promise<T>;
  /** Runs work that changes the user's own name, and counts it if it succeeds. @throws AppError rate_limited */
  renameOwn<T>(userId: string, work: () => Promise<T>): Promise<T>;
  /**
   * Counts an email that a user sends to another person's address. Call before the email.
   * @throws AppError rate_limited
   */
  takeMailTo(email: string): Promise<void>;
  /** Counts an email to the user's own unconfirmed address. Call before the email. @throws AppError rate_limited */
  takeOwnMail(userId: string): Promise<void>;
  /** Counts a link that confirms the user's address. Call before the link is created. @throws AppError rate_limited */
  takeConfirmation(userId: string): Promise<void>;
  /**
   * Counts one email of the day for each party.
   * @returns false, and counts nothing, if one of them has reached its limit
   */
  takeEmailOfDay(parties: readonly { of: string; atMost: number }[]): Promise<boolean>;
  /** Counts a reset email to this address. @returns false if the limit is reached */
  takeResetMail(email: string): Promise<boolean>;
}

export function createLimiters(
  db: Pick<Database<Collections>, "collection">,
  clock: Clock,
  /** The operator's networks, in which a whole building can share one address. */
  trustedNetworks: readonly NamedNetwork[],
): Limiters {
  const isTrusted = (address: string) => isInNetworks(address, trustedNetworks);
  const counters = createDatabaseCounters(db, clock);
  const secondsLeft = ({ expiresAt }: LimitCount) =>
    Math.max(1, Math.ceil((Date.parse(expiresAt) - clock.millis()) / 1000));
  const takePoint = async (key: string, { points, seconds }: RateLimit): Promise<void> => {
    const count = await counters.add(key, seconds);
    if (count.points > points)
      throw new AppError("rate_limited", signInRefusals.attempts(), { retryAfterSeconds: secondsLeft(count) });
  };
  /**
   * Counts work against limits while it runs, and keeps the count if `counts` says so.
   * @param counts gets the error of the work, or null after success
   */
  async function countWhile<T>(
    counted: readonly { key: string; limit: RateLimit }[],
    refusal: MessageWithId,
    counts: (failure: unknown) => boolean,
    work: () => Promise<T>,
  ): Promise<T> {
    const givePointsBack = () => Promise.all(counted.map(({ key }) => counters.subtract(key)));
    // count before the work runs, so that simultaneous requests can't exceed the limit
    const taken = await Promise.all(counted.map(({ key, limit }) => counters.add(key, limit.seconds)));
    const over = taken.filter(({ points }, at) => points > (counted[at]?.limit.points ?? 0));
    if (over.length > 0) {
      await givePointsBack();
      throw new AppError("rate_limited", refusal, { retryAfterSeconds: Math.max(...over.map(secondsLeft)) });
    }
    const [done] = await Promise.allSettled([work()]);
    if (!counts(done.status === "rejected" ? done.reason : null)) await givePointsBack();
    if (done.status === "rejected") throw done.reason;
    return done.value;
  }
  return {
    signIn: createSignInLimits(counters, clock, isTrusted),
    async check(name, address) {
      if (!isTrusted(address)) await takePoint(limiterKey(name, networkPrefix(address)), addressLimits[name]);
    },
    takeName(caller, work) {
      const counted =
        "address" in caller
          ? [{ key: limiterKey("name-address", networkPrefix(caller.address)), limit: takenNames.address }]
          : [
              { key: limiterKey("name-company", caller.user.companyId), limit: takenNames.company },
              { key: limiterKey("name-user", caller.user._id), limit: takenNames.user },
            ];
      return countWhile(counted, waitRefusals.names(), isUsernameTaken, work);
    },
    renameOwn(userId, work) {
      const counted = [{ key: limiterKey("own-rename", userId), limit: ownRenames }];
      const refusal = waitRefusals.renames({ times: limits.ownRenamesDay });
      return countWhile(counted, refusal, (failure) => failure === null, work);
    },
    takeKeyTest: (userId) => takePoint(limiterKey("key-test", userId), keyTests),
    takeMailTo: (email) => takePoint(limiterKey("mail-to", email.toLowerCase()), mailsTo),
    takeOwnMail: (userId) => takePoint(limiterKey("own-mail", userId), ownMails),
    takeConfirmation: (userId) => takePoint(limiterKey("confirmation", userId), confirmations),
    async takeEmailOfDay(parties) {
      const counted = parties.map(({ of, atMost }) => ({ key: limiterKey("emails-day", of), atMost }));
      const counts = await Promise.all(counted.map(({ key }) => counters.add(key, daySeconds)));
      if (counted.every(({ atMost }, at) => (counts[at]?.points ?? 0) <= atMost)) return true;
      await Promise.all(counted.map(({ key }) => counters.subtract(key)));
      return false;
    },
    async takeResetMail(email) {
      const count = await counters.add(limiterKey("reset-mail", email.toLowerCase()), resetMails.seconds);
      return count.points <= resetMails.points;
    },
  };
}

function isUsernameTaken(error: unknown): boolean {
  return error instanceof AppError && error.code === "conflict" && Object.hasOwn(Object(error.details), "username");
}

/** Returns the key of a counter. The subject is hashed, so that counters contain no names and addresses. */
function limiterKey(name: string, subject: string): string {
  return `${name}:${sha256(subject, "base64url")}`;
}
