/** Limits wrong passwords (`docs/security.md`, Sign-in limits). */
import type { Clock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { signInRefusals } from "#core/sign-in/refusals.ts";
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { sha256 } from "../hashing.ts";
import type { LimitCounters } from "./limit-counters.ts";
import { networkPrefix } from "./network.ts";

const daySeconds = 24 * 3600;
const longestWait = 3600;

/**
 * The number of wrong passwords a day before waits begin. `own`: for one name from one browser or network. `name`: for
 * one name from networks that its company doesn't use. `network`: for all names from one such network.
 */
const failures = { own: 5, name: 50, network: 100 };
/** The limit on successful sign-ins of one user, because each costs a password hash and two rows. */
const successes = { points: 100, seconds: 900 };
/** Seconds for which a network counts as the company's after a sign-in from it. */
const placeSeconds = 30 * daySeconds;

/** An attempt to sign in with a password. */
export interface SignInAttempt {
  username: string;
  /** The company of the user with this name; null if there is none. */
  companyId: string | null;
  address: string;
  /**
   * The id of a browser or session in which this user has signed in before; null for others. It has its own counter, so
   * that strangers can't lock the user out there.
   */
  trusted: string | null;
}

export interface SignInLimits {
  /**
   * Checks whether a password may be tried. Call before the password check. `stranger`: neither the browser nor the
   * network is known for this name.
   * @throws AppError rate_limited
   */
  check(attempt: SignInAttempt): Promise<{ stranger: boolean }>;
  /** Counts a wrong password. @returns true if a wait begins, so that the caller writes one audit row for each wait */
  failed(attempt: SignInAttempt): Promise<boolean>;
  /** Counts a successful sign-in, and ends the count of wrong passwords and the wait for this browser or network. */
  succeeded(attempt: SignInAttempt): Promise<void>;
  /**
   * Writes a counter for an unknown name. The write takes as long as an audit row for a known name, so the timing
   * reveals nothing.
   */
  countUnknown(): Promise<void>;
  /**
   * Records the network as the company's, so that strangers in it can't lock the company's users out. Call after a
   * sign-in.
   */
  rememberPlace(companyId: string, address: string): Promise<void>;
}

/** Creates the limits. @param isTrusted says whether an address is in a network that the operator names */
export function createSignInLimits(
  counters: LimitCounters,
  clock: Clock,
  isTrusted: (address: string) => boolean,
): SignInLimits {
  /** Returns the counters that an attempt adds to, each with the number of failures before waits begin. */
  async function countersOfAttempt({ username, companyId, address, trusted }: SignInAttempt) {
    const own = { key: failedOwnKey(username, trusted ?? networkPrefix(address)), allowed: failures.own };
    // read the counter for unknown names too, so that the timing reveals nothing
    const place = await counters.read(companyNetworkKey(companyId, address), placeSeconds);
    if (trusted !== null || place !== null || isTrusted(address)) return [own];
    return [
      own,
      { key: failedNameKey(username), allowed: failures.name },
      { key: networkKey(address), allowed: failures.network },
    ];
  }

  return {
    async check(attempt) {
      const keys = await countersOfAttempt(attempt);
      const waits = keys.map(({ key }) => counters.read(waitKey(key), longestWait));
      const often = await counters.read(successKey(attempt.username), successes.seconds);
      const running = [...(await Promise.all(waits)), often && often.points >= successes.points ? often : null];
      const ends = running.flatMap((one) => (one === null ? [] : [Date.parse(one.expiresAt) - clock.millis()]));
      if (ends.length === 0) return { stranger: keys.length > 1 };
      const retryAfterSeconds = Math.max(1, Math.ceil(Math.max(...ends) / 1000));
      throw new AppError("rate_limited", signInRefusals.attempts(), { retryAfterSeconds });
    },
    async failed(attempt) {
      let begins = false;
      for (const { key, allowed } of await countersOfAttempt(attempt)) {
        const { points } = await counters.add(key, daySeconds);
        if (points < allowed) continue;
        begins = true;
        await counters.clear(waitKey(key));
        await counters.add(waitKey(key), Math.min(longestWait, 2 ** Math.min(points - allowed, 12)));
      }
      return begins;
    },
    async succeeded(attempt) {
      const key = failedOwnKey(attempt.username, attempt.trusted ?? networkPrefix(attempt.address));
      await Promise.all([
        counters.clear(key),
        counters.clear(waitKey(key)),
        counters.add(successKey(attempt.username), successes.seconds),
      ]);
    },
    async countUnknown() {
      await counters.add("failed-unknown", daySeconds);
    },
    async rememberPlace(companyId, address) {
      const key = companyNetworkKey(companyId, address);
      if ((await counters.read(key, placeSeconds)) === null) await counters.add(key, placeSeconds);
    },
  };
}

/**
 * Deletes the counters of wrong passwords and waits: of a username or an address, or all of them if neither is given.
 * @returns the number of deleted counters
 */
export async function unlockSignIn(
  db: Pick<Database<Collections>, "collection">,
  { username, address }: { username?: string; address?: string },
): Promise<number> {
  const counters = db.collection("limiters");
  const all = ["failed-", waitKey("failed-"), "signed-in:"];
  const filters = all.map((start) => ({ _id: { $gte: start, $lt: `${start}\uffff` } }));
  const found = (await Promise.all(filters.map((filter) => counters.find(filter)))).flat();
  const part = address === undefined ? username : networkPrefix(address);
  const chosen = found.filter(({ _id }) => part === undefined || _id.split(":").includes(hashSubject(part)));
  for (const { _id } of chosen) await counters.deleteOne({ _id });
  return chosen.length;
}

/** Finds those of the companies whose users have recently signed in from the address's network. */
export async function findCompaniesSignedInFrom(
  db: Pick<Database<Collections>, "collection">,
  companies: readonly string[],
  address: string,
): Promise<string[]> {
  const keys = companies.map((id) => companyNetworkKey(id, address));
  const found = new Set((await db.collection("limiters").find({ _id: { $in: keys } })).map(({ _id }) => _id));
  return companies.filter((id) => found.has(companyNetworkKey(id, address)));
}

/**
 * Returns the key of the counter for a company's network. The subject is hashed, so that counters contain no names and
 * addresses.
 */
const companyNetworkKey = (companyId: string | null, address: string) =>
  `place:${hashSubject(`${companyId ?? ""}\n${networkPrefix(address)}`)}`;
const failedOwnKey = (username: string, from: string) => `failed-own:${hashSubject(username)}:${hashSubject(from)}`;
const failedNameKey = (username: string) => `failed-name:${hashSubject(username)}`;
const networkKey = (address: string) => `failed-network:${hashSubject(networkPrefix(address))}`;
const successKey = (username: string) => `signed-in:${hashSubject(username)}`;
const waitKey = (key: string) => `wait:${key}`;

function hashSubject(text: string): string {
  return sha256(text, "base64url");
}
