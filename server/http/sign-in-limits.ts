/** Limits on wrong passwords (`docs/security.md`, Sign-in limits). */
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
 * The wrong passwords a day before waits begin. `own`: for one name from one browser or network. `name`: for one name
 * from networks that its company doesn't use. `network`: for all such names from one network.
 */
const failures = { own: 5, name: 50, network: 100 };
/** Sign-ins of one user with the right password: each one costs a hash and two rows. */
const successes = { points: 100, seconds: 900 };
/** After a sign-in, its network counts as a place of the company for so many seconds. */
const placeSeconds = 30 * daySeconds;

/** An attempt to sign in with a password, and its username and address. */
export interface SignInAttempt {
  username: string;
  /** The company of the user with this name; null if there is none. */
  companyId: string | null;
  address: string;
  /**
   * A browser or session that this user signed in with before; null for strangers. It has tries of its own, so that
   * strangers can't lock it out.
   */
  trusted: string | null;
}

export interface SignInLimits {
  /**
   * Call before the password check. `stranger`: neither the browser nor the network is known for this name.
   * @throws AppError rate_limited
   */
  check(attempt: SignInAttempt): Promise<{ stranger: boolean }>;
  /** @returns true if a wait begins, so that each wait gets one audit row */
  failed(attempt: SignInAttempt): Promise<boolean>;
  succeeded(attempt: SignInAttempt): Promise<void>;
  /** Writes a counter for an unknown name. The write takes the time of an audit row, so the timing reveals nothing. */
  countUnknown(): Promise<void>;
  /** Call after a sign-in: from then on, strangers of this network can't lock the company's users out. */
  rememberPlace(companyId: string, address: string): Promise<void>;
}

/** @param isTrusted whether an address is in a network that the operator names */
export function createSignInLimits(
  counters: LimitCounters,
  clock: Clock,
  isTrusted: (address: string) => boolean,
): SignInLimits {
  /** The counters that an attempt adds to, each with the failures that it allows before waits begin. */
  async function countersOfAttempt({ username, companyId, address, trusted }: SignInAttempt) {
    const own = { key: failedOwnKey(username, trusted ?? networkPrefix(address)), allowed: failures.own };
    // the counter is read for unknown names too, so that the timing reveals nothing
    const place = await counters.read(placeKey(companyId, address), placeSeconds);
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
      const key = placeKey(companyId, address);
      if ((await counters.read(key, placeSeconds)) === null) await counters.add(key, placeSeconds);
    },
  };
}

/** @returns the number of deleted counters of wrong passwords and waits */
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

/** @returns those of the companies whose users signed in from the address's network in the last days */
export async function companiesSignedInFrom(
  db: Pick<Database<Collections>, "collection">,
  companies: readonly string[],
  address: string,
): Promise<string[]> {
  const keys = companies.map((id) => placeKey(id, address));
  const found = new Set((await db.collection("limiters").find({ _id: { $in: keys } })).map(({ _id }) => _id));
  return companies.filter((id) => found.has(placeKey(id, address)));
}

/** The key of a counter. It is hashed, so that the counters have no names and addresses. */
const placeKey = (companyId: string | null, address: string) =>
  `place:${hashSubject(`${companyId ?? ""}\n${networkPrefix(address)}`)}`;
const failedOwnKey = (username: string, from: string) => `failed-own:${hashSubject(username)}:${hashSubject(from)}`;
const failedNameKey = (username: string) => `failed-name:${hashSubject(username)}`;
const networkKey = (address: string) => `failed-network:${hashSubject(networkPrefix(address))}`;
const successKey = (username: string) => `signed-in:${hashSubject(username)}`;
const waitKey = (key: string) => `wait:${key}`;

function hashSubject(text: string): string {
  return sha256(text, "base64url");
}
