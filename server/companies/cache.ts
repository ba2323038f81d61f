/**
 * Caches the facts about a company that every request needs and that rarely change: its record, its categories, its
 * names that look alike.
 */
import { setImmediate } from "node:timers/promises";
import { looksOfName } from "#core/users/looks.ts";
import type { CategoryDocument, Collections, CompanyDocument } from "../database/documents.ts";
import { missingCompanyLine } from "../integrity/companies.ts";
import type { FoundDamage } from "../integrity/found-damage.ts";
import type { Database } from "../database/port.ts";

export interface CompanyCache {
  get(companyId: string): Promise<CompanyDocument | null>;
  categories(companyId: string): Promise<readonly CategoryDocument[]>;
  /** Returns ids of users whose name looks like that of another user of the company. */
  namesakes(companyId: string): Promise<ReadonlySet<string>>;
  /**
   * Removes the company from the cache. Call after a write on this server, so that the next read doesn't wait for the
   * database's notification.
   */
  forget(companyId: string): void;
  /** Removes the names that look alike from the cache. Call after a new user or a new name. */
  forgetPeople(companyId: string): void;
  close(): void;
}

interface CachedUntil<T> {
  value: Promise<T>;
  until: number;
}

/**
 * Milliseconds after which a change by another server is seen (`docs/spec/statuses.md`). Changes by this server are
 * seen at once.
 */
const keepMs = 1000;
/**
 * Milliseconds for names that look alike. This is longer, because a read loads all names of a company, and an outdated
 * result only hides a username.
 */
const keepPeopleMs = 60_000;

export function createCompanyCache(db: Database<Collections>, damage: Pick<FoundDamage, "note">): CompanyCache {
  const companies = new Map<string, CachedUntil<CompanyDocument | null>>();
  const categories = new Map<string, CachedUntil<readonly CategoryDocument[]>>();
  const namesakes = new Map<string, CachedUntil<ReadonlySet<string>>>();
  const stop = db.watch(["companies", "categories"], (written) => {
    const ids = written.get("companies")?.ids;
    if (ids) for (const companyId of ids) companies.delete(companyId);
    else if (written.has("companies")) companies.clear();
    if (written.has("categories")) categories.clear();
  });
  /**
   * Returns the cached value, or reads it. Simultaneous calls share one read. A value whose read began before a change
   * isn't used after that change.
   */
  function readThrough<T>(
    kept: Map<string, CachedUntil<T>>,
    key: string,
    read: () => Promise<T>,
    ms = keepMs,
  ): Promise<T> {
    const found = kept.get(key);
    const now = performance.now();
    if (found && found.until > now) return found.value;
    const reading = { value: read(), until: now + ms };
    kept.set(key, reading);
    reading.value.catch(() => {
      if (kept.get(key) === reading) kept.delete(key);
    });
    return reading.value;
  }
  const readCompany = (companyId: string) => db.collection("companies").findOne({ _id: companyId });
  /**
   * Says whether the company's record is missing although the company has users. Records of companies are never
   * deleted, so this is damage.
   */
  const isLost = async (companyId: string) =>
    (await db.forCompany(companyId).collection("users").find({}, { limit: 1 })).length > 0 &&
    (await readCompany(companyId)) === null;
  return {
    get: (companyId) =>
      readThrough(companies, companyId, async () => {
        const company = await readCompany(companyId);
        if (company === null && (await isLost(companyId)))
          damage.note(missingCompanyLine(companyId), () => isLost(companyId));
        return company;
      }),
    categories: (companyId) =>
      readThrough(categories, companyId, () =>
        db
          .forCompany(companyId)
          .collection("categories")
          .find({}, { sort: { order: 1 } }),
      ),
    namesakes: (companyId) => readThrough(namesakes, companyId, () => loadNamesakes(db, companyId), keepPeopleMs),
    forgetPeople(companyId) {
      namesakes.delete(companyId);
    },
    forget(companyId) {
      companies.delete(companyId);
      categories.delete(companyId);
    },
    close: stop,
  };
}

const namesAtOnce = 200;

async function loadNamesakes(db: Database<Collections>, companyId: string): Promise<ReadonlySet<string>> {
  const people = await db
    .forCompany(companyId)
    .collection("users")
    .find({}, { projection: { name: 1 } });
  const byLook = new Map<string, string[]>();
  for (const [at, { _id, name }] of people.entries()) {
    // let other requests run, because comparing thousands of names takes long
    if (at % namesAtOnce === namesAtOnce - 1) await setImmediate();
    for (const look of new Set(looksOfName(name))) {
      const ids = byLook.get(look) ?? [];
      byLook.set(look, ids);
      ids.push(_id);
    }
  }
  return new Set([...byLook.values()].filter((ids) => ids.length > 1).flat());
}
