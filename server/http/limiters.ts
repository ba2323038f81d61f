/** Brakes on what nobody needs to be signed in for. Counters live in the database, so that several servers share them. */
import { createHash } from "node:crypto";
import type { Clock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import type { Route } from "#core/contract/route.ts";
import type { Collections, LimiterDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";

type LimiterName = NonNullable<Route["limiter"]>;

/** Points per window in seconds, by client address (`research/security.md` §2.3). */
const perAddress: Record<LimiterName, { points: number; seconds: number }> = {
  "sign-in": { points: 300, seconds: 900 },
  register: { points: 60, seconds: 3600 },
  setup: { points: 30, seconds: 900 },
  "forgot-password": { points: 20, seconds: 3600 },
  "reset-password": { points: 60, seconds: 3600 },
};
const keyTests = { points: 5, seconds: 60 };
const failedSignIns = { points: 5, seconds: 900 };

export interface Limiters {
  check(name: LimiterName, address: string, clock: Clock): Promise<void>;
  /**
   * Takes one of the tries that this username has from this address: before the password is looked at, so that many
   * guesses at once are counted like one after the other.
   */
  takeSignIn(username: string, address: string, clock: Clock): Promise<void>;
  /** The password was not looked at: the try is given back. */
  returnSignIn(username: string, address: string): Promise<void>;
  signInSucceeded(username: string, address: string): Promise<void>;
  /** One of the tries a user has at asking the AI provider about a key. */
  takeKeyTest(userId: string, clock: Clock): Promise<void>;
}

export function createLimiters(db: Database<Collections>): Limiters {
  const counters = db.collection("limiters");
  const spend = async (key: string, seconds: number, clock: Clock): Promise<LimiterDocument> => {
    const now = clock.now();
    const expiresAt = new Date(clock.millis() + seconds * 1000).toISOString();
    const running = await counters.findOneAndUpdate(
      { _id: key, expiresAt: { $gt: now } },
      { $inc: { points: 1 } },
      { returnDocument: "after" },
    );
    if (running) return running;
    const started = { _id: key, points: 1, expiresAt };
    await counters.deleteOne({ _id: key, expiresAt: { $lte: now } });
    const raced = await counters.findOneAndUpdate(
      { _id: key },
      { $inc: { points: 1 }, $setOnInsert: { expiresAt } },
      { upsert: true, returnDocument: "after" },
    );
    return raced ?? started;
  };
  const refuse = (counter: LimiterDocument, clock: Clock): never => {
    const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(counter.expiresAt) - clock.millis()) / 1000));
    throw new AppError("rate_limited", undefined, { retryAfterSeconds });
  };
  return {
    async check(name, address, clock) {
      const { points, seconds } = perAddress[name];
      const counter = await spend(keyOf(name, network(address)), seconds, clock);
      if (counter.points > points) refuse(counter, clock);
    },
    async takeSignIn(username, address, clock) {
      const counter = await spend(failureKey(username, address), failedSignIns.seconds, clock);
      if (counter.points > failedSignIns.points) refuse(counter, clock);
    },
    async returnSignIn(username, address) {
      await counters.updateOne({ _id: failureKey(username, address) }, { $inc: { points: -1 } });
    },
    async takeKeyTest(userId, clock) {
      const counter = await spend(keyOf("key-test", userId), keyTests.seconds, clock);
      if (counter.points > keyTests.points) refuse(counter, clock);
    },
    async signInSucceeded(username, address) {
      await counters.deleteOne({ _id: failureKey(username, address) });
    },
  };
}

function failureKey(username: string, address: string): string {
  return keyOf("failed-sign-in", `${username}\n${network(address)}`);
}

/** Hashed, so that the counters hold no names and addresses. */
function keyOf(name: string, subject: string): string {
  return `${name}:${createHash("sha256").update(subject).digest("base64url")}`;
}

/** An IPv6 customer holds a /64: count that, not each address. */
export function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail = ""] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}
