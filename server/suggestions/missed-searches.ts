/**
 * Records searches that had no results: the words, and the people who searched for them, as hashes. A record is kept
 * for 90 days after the last such search. Waits some seconds after each search, so that unfinished words don't count.
 * Never delays a search.
 */
import type { Logger } from "pino";
import type { Actor } from "#core/permissions/actor.ts";
import type { Clock } from "#core/clock.ts";
import { parseQuery } from "#core/search/query.ts";
import type { SearchQuery } from "#core/search/schema.ts";
import { tryUnlessDamaged } from "../database/beside-damage.ts";
import type { Collections, MissedSearchDocument } from "../database/documents.ts";
import { DuplicateKeyError, type Collection, type Database, type Transaction } from "../database/port.ts";
import { sha256 } from "../hashing.ts";

/** Milliseconds within which longer words replace the shorter words that the user typed before. */
const quietMs = 10_000;
const everyMs = 5_000;
const keptOfCompany = 500;
/** The maximum number of people counted for one search. */
const peopleAtMost = 10;

interface MissedSearch {
  companyId: string;
  userId: string;
  words: string;
  since: number;
}

export interface MissedSearches {
  /** Call for every search. Stores a search later if it had neither filters nor results. */
  searched(actor: Pick<Actor, "companyId" | "userId">, query: Omit<SearchQuery, "limit">, hits: number): void;
  /** Resolves when all searches before this call are stored. A search that can't be stored isn't counted. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createMissedSearches(db: Database<Collections>, clock: Clock, log: Logger): MissedSearches {
  const waiting = new Map<string, MissedSearch>();
  let writing = Promise.resolve();

  async function writeMisses(misses: readonly MissedSearch[]): Promise<void> {
    for (const miss of misses) {
      const storeMiss = () => storeMissedSearch(db, miss, clock.now());
      await tryUnlessDamaged(() =>
        storeMiss().catch((error: unknown) => {
          // another server stored the same words first
          if (error instanceof DuplicateKeyError) return storeMiss();
          throw error;
        }),
      );
    }
  }

  function flushMisses(quiet = 0): Promise<void> {
    const now = performance.now();
    const ready = [...waiting].filter(([, { since }]) => since <= now - quiet);
    for (const [key] of ready) waiting.delete(key);
    writing = writing.then(() => writeMisses(ready.map(([, miss]) => miss))).catch(logFailure);
    return writing;
  }

  const logFailure = (error: unknown) => log.warn({ err: error }, "searches without results were not stored");
  const timer = setInterval(() => void flushMisses(quietMs), everyMs);
  timer.unref();

  return {
    searched({ companyId, userId }, query, hits) {
      const words = missedWordsOf(query);
      if (words === null) return;
      const before = waiting.get(userId);
      const goesOn = before !== undefined && (words.startsWith(before.words) || before.words.startsWith(words));
      if (before !== undefined && !goesOn) {
        waiting.delete(userId);
        waiting.set(`${userId} ${before.words}`, before);
      }
      if (hits > 0) waiting.delete(userId);
      // words that get shorter, because the user deletes letters, don't replace the longer words
      else if (!goesOn || words.length >= before.words.length)
        waiting.set(userId, { companyId, userId, words, since: performance.now() });
    },
    flush: () => flushMisses(),
    async close() {
      clearInterval(timer);
      await flushMisses();
    },
  };
}

const filterFields = [
  "category",
  "status",
  "tag",
  "owner",
  "team",
  "lang",
  "time",
  "template",
  "mine",
  "favorite",
  "review",
  "cursor",
] as const;

/**
 * Returns the folded words of a search. Returns null for a search with filters, with too short or too long a text, or
 * with possible personal data: addresses and long numbers.
 */
export function missedWordsOf(query: Omit<SearchQuery, "limit">): string | null {
  if (filterFields.some((field) => query[field] !== undefined)) return null;
  if (/@|\d{5}|\d[\d\s./-]{6,}\d/.test(query.q)) return null;
  const words = (parseQuery(query.q).terms ?? []).map(({ raw }) => raw).join(" ");
  return words.length < 3 || words.length > 80 || !/\p{L}{3}/u.test(words) ? null : words;
}

/**
 * Records that this user asks for an SOP after a search without results.
 * @param words the result of `missedWordsOf`
 * @returns the id of the search
 */
export async function recordRequestForSop(
  tx: Transaction<Collections>,
  { companyId, userId }: Pick<Actor, "companyId" | "userId">,
  words: string,
  at: string,
): Promise<string> {
  const missed = tx.forCompany(companyId).collection("missed_searches");
  const _id = hashOfParts(companyId, words);
  const known = await missed.findOne({ _id });
  const person = hashOfParts(_id, userId);
  if (!known) {
    await missed.insertOne({ _id, companyId, words, people: [person], asked: [userId], lastAt: at });
    await forgetOldest(missed);
    return _id;
  }
  const withAdded = <T>(list: readonly T[], one: T) =>
    list.includes(one) || list.length >= peopleAtMost ? [...list] : [...list, one];
  const [people, asked] = [withAdded(known.people, person), withAdded(known.asked ?? [], userId)];
  await missed.updateOne({ _id }, { $set: { people, asked, lastAt: at } });
  return _id;
}

function hashOfParts(...parts: readonly string[]): string {
  return sha256(parts.join("\n"), "base64url").slice(0, 24);
}

async function storeMissedSearch(
  db: Database<Collections>,
  { companyId, userId, words }: MissedSearch,
  at: string,
): Promise<void> {
  const missed = db.forCompany(companyId).collection("missed_searches");
  const _id = hashOfParts(companyId, words);
  const person = hashOfParts(_id, userId);
  const known = await missed.findOne({ _id });
  if (known) {
    const isCounted = known.people.includes(person) || known.people.length >= peopleAtMost;
    await missed.updateOne({ _id }, { $set: { lastAt: at }, ...(isCounted ? {} : { $addToSet: { people: person } }) });
    return;
  }
  await missed.insertOne({ _id, companyId, words, people: [person], lastAt: at });
  await forgetOldest(missed);
}

async function forgetOldest(missed: Collection<MissedSearchDocument>): Promise<void> {
  const old = await missed.find({}, { sort: { lastAt: -1 }, limit: keptOfCompany + 50, projection: { lastAt: 1 } });
  const tooMany = old.slice(keptOfCompany).map((one) => one._id);
  if (tooMany.length > 0) await missed.deleteMany({ _id: { $in: tooMany } });
}
