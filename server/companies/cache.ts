/** Companies and their categories change rarely and are needed by every request: kept for at most a second. */
import type { CategoryDocument, Collections, CompanyDocument } from "../database/documents.ts";
import { missingRecord } from "../integrity/companies.ts";
import type { MetDamage } from "../integrity/met.ts";
import type { Database } from "../database/port.ts";

export interface CompanyCache {
  get(companyId: string): Promise<CompanyDocument | null>;
  categories(companyId: string): Promise<readonly CategoryDocument[]>;
  /** After a write of ours: the next reader sees it, without waiting for the database's notice. */
  forget(companyId: string): void;
  close(): void;
}

interface Kept<T> {
  value: T;
  until: number;
}

/** Another server's change is seen within this time (`docs/spec/statuses.md`), this server's at once. */
const keepMs = 1000;

export function createCompanyCache(db: Database<Collections>, damage: Pick<MetDamage, "note">): CompanyCache {
  const companies = new Map<string, Kept<CompanyDocument | null>>();
  const categories = new Map<string, Kept<readonly CategoryDocument[]>>();
  const stop = db.watch(["companies", "categories"], (written) => {
    age++;
    const ids = written.get("companies")?.ids;
    if (ids) for (const companyId of ids) companies.delete(companyId);
    else if (written.has("companies")) companies.clear();
    if (written.has("categories")) categories.clear();
  });
  /** Raised whenever something is forgotten: what was read before that is not kept. */
  let age = 0;
  async function through<T>(kept: Map<string, Kept<T>>, key: string, read: () => Promise<T>): Promise<T> {
    const found = kept.get(key);
    const now = performance.now();
    if (found && found.until > now) return found.value;
    const startedAt = age;
    const value = await read();
    if (age === startedAt) kept.set(key, { value, until: now + keepMs });
    return value;
  }
  const read = (companyId: string) => db.collection("companies").findOne({ _id: companyId });
  /** Records are never deleted, so its users have lost it. */
  const isLost = async (companyId: string) =>
    (await db.forCompany(companyId).collection("users").find({}, { limit: 1 })).length > 0 &&
    (await read(companyId)) === null;
  return {
    get: (companyId) =>
      through(companies, companyId, async () => {
        const company = await read(companyId);
        if (company === null && (await isLost(companyId)))
          damage.note(missingRecord(companyId), () => isLost(companyId));
        return company;
      }),
    categories: (companyId) =>
      through(categories, companyId, () =>
        db
          .forCompany(companyId)
          .collection("categories")
          .find({}, { sort: { order: 1 } }),
      ),
    forget(companyId) {
      age++;
      companies.delete(companyId);
      categories.delete(companyId);
    },
    close: stop,
  };
}
