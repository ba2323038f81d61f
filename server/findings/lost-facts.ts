/**
 * Companies whose record a restore created again. Their settings and plan limits can differ from the lost ones, so
 * checks name them until administrators have reviewed them.
 */
import type { Collections } from "../database/documents.ts";
import type { Store } from "../database/port.ts";

/** The facts to review. An administrator of the company knows its settings, a system administrator its plan limits. */
export type LostFact = "settings" | "plan limits";

type Entries = Pick<Store<Collections>, "collection">;
type Lost = Readonly<Record<string, readonly LostFact[]>>;

/** The id of the entry in `system`, which backups contain. */
const id = "lost-facts";

async function lostFacts(db: Entries): Promise<Lost> {
  const [stored] = await db.collection("system").find({ _id: id }, { limit: 1 });
  return stored ? (JSON.parse(stored.value) as Lost) : {};
}

export async function lacks(db: Entries, companyId: string, fact: LostFact): Promise<boolean> {
  return (await lostFacts(db))[companyId]?.includes(fact) ?? false;
}

/** A line for each lost fact, in the words of `verify`. */
export async function lostFactLines(db: Entries): Promise<string[]> {
  return Object.entries(await lostFacts(db)).flatMap(([companyId, facts]) =>
    facts.map((fact) => `company ${companyId}: its ${fact} are missing`),
  );
}

export async function noteLostFacts(db: Entries, companyId: string, at: string): Promise<void> {
  const facts: LostFact[] = ["settings", "plan limits"];
  await write(db, { ...(await lostFacts(db)), [companyId]: facts }, at);
}

/** Records that an administrator has reviewed the fact. @returns whether the fact was lost */
export async function settleLostFact(db: Entries, companyId: string, fact: LostFact, at: string): Promise<boolean> {
  const { [companyId]: facts = [], ...others } = await lostFacts(db);
  if (!facts.includes(fact)) return false;
  const left = facts.filter((one) => one !== fact);
  await write(db, left.length === 0 ? others : { ...others, [companyId]: left }, at);
  return true;
}

async function write(db: Entries, lost: Lost, at: string): Promise<void> {
  await db.collection("system").updateOne({ _id: id }, { $set: { value: JSON.stringify(lost), at } }, { upsert: true });
}
