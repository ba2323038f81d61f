/**
 * Records the companies whose missing record a restore created again. Their settings and plan limits can differ from
 * the missing ones, so checks report these companies until administrators have reviewed the values.
 */
import type { Collections } from "../database/documents.ts";
import type { Store } from "../database/port.ts";

/**
 * The facts that an administrator must review. An administrator of the company knows its settings, a system
 * administrator its plan limits.
 */
export type LostFact = "settings" | "plan limits";

type CollectionSource = Pick<Store<Collections>, "collection">;
type LostFactsByCompany = Readonly<Record<string, readonly LostFact[]>>;

/** The id of the entry in `system`. Backups contain the entry. */
const id = "lost-facts";

async function loadLostFacts(db: CollectionSource): Promise<LostFactsByCompany> {
  const [stored] = await db.collection("system").find({ _id: id }, { limit: 1 });
  return stored ? (JSON.parse(stored.value) as LostFactsByCompany) : {};
}

export async function isFactLost(db: CollectionSource, companyId: string, fact: LostFact): Promise<boolean> {
  return (await loadLostFacts(db))[companyId]?.includes(fact) ?? false;
}

/** Loads a line for each fact that administrators must review, in the wording of `verify`. */
export async function loadLostFactLines(db: CollectionSource): Promise<string[]> {
  return Object.entries(await loadLostFacts(db)).flatMap(([companyId, facts]) =>
    facts.map((fact) => `company ${companyId}: its ${fact} are missing`),
  );
}

export async function recordLostFacts(db: CollectionSource, companyId: string, at: string): Promise<void> {
  const facts: LostFact[] = ["settings", "plan limits"];
  await writeLostFacts(db, { ...(await loadLostFacts(db)), [companyId]: facts }, at);
}

/**
 * Records that an administrator has reviewed the fact.
 * @returns false if no review was due, so that nothing was recorded
 */
export async function markFactReviewed(
  db: CollectionSource,
  companyId: string,
  fact: LostFact,
  at: string,
): Promise<boolean> {
  const { [companyId]: facts = [], ...others } = await loadLostFacts(db);
  if (!facts.includes(fact)) return false;
  const left = facts.filter((one) => one !== fact);
  await writeLostFacts(db, left.length === 0 ? others : { ...others, [companyId]: left }, at);
  return true;
}

async function writeLostFacts(db: CollectionSource, lost: LostFactsByCompany, at: string): Promise<void> {
  await db.collection("system").updateOne({ _id: id }, { $set: { value: JSON.stringify(lost), at } }, { upsert: true });
}
