/**
 * Checks that a company's ledger has no gaps and that its counters are right. The check can run while a server writes.
 */
import { setImmediate } from "node:timers/promises";
import type { CounterDocument, Collections, SopDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { reportProgress } from "../jobs/overdue.ts";
import { addCounts, countDelta, type CounterSteps } from "../sops/edit/counts.ts";
import { missingItemLine } from "./reference-lines.ts";
import type { ShareCheck } from "./report.ts";
import { isMissing } from "./stored.ts";

type LedgerDatabase = Pick<Database<Collections>, "collection" | "forCompany">;

const eventsAtOnce = 1_000;
const sopsAtOnce = 100;
const triesAtMost = 5;

/**
 * Creates the check of a company's ledger. Each share checks a page of events; the last one also checks categories and
 * counters.
 */
export function createLedgerCheck(db: LedgerDatabase, companyId: string): ShareCheck {
  const events = db.forCompany(companyId).collection("repo_events");
  return async (after) => {
    const findings: string[] = [];
    const last = (await db.collection("counters").findOne({ _id: companyId }))?.repoSeq ?? 0;
    let seq = after === "" ? -1 : Number(after);
    const page = await events.find(
      { seq: { $gt: seq } },
      { sort: { seq: 1 }, limit: eventsAtOnce, projection: { seq: 1 } },
    );
    for (const event of page) {
      if (event.seq !== seq + 1) findings.push(`company ${companyId}: event ${seq + 1} is missing`);
      seq = event.seq;
    }
    if (page.length === eventsAtOnce) return { checked: page.length, next: `${seq}`, findings };
    if (seq < last) findings.push(`company ${companyId}: the ledger ends at event ${seq}, not at ${last}`);
    findings.push(
      ...(await findLostCategoryLines(db, companyId, last)),
      ...(await findCounterDifferences(db, companyId)),
    );
    return { checked: page.length, next: null, findings };
  };
}

/** Returns a line for each missing category. The last event about categories lists all of them. */
async function findLostCategoryLines(db: LedgerDatabase, companyId: string, last: number): Promise<string[]> {
  const company = db.forCompany(companyId);
  const events = company.collection("repo_events");
  const [listed] = await events.find({ type: { $in: ["found", "category"] } }, { sort: { seq: -1 }, limit: 1 });
  // if a later event is lost, it may have listed other categories
  if (!listed || (await events.countDocuments({ seq: { $gt: listed.seq } })) < last - listed.seq) return [];
  const categories = company.collection("categories");
  const lost: string[] = [];
  for (const { slug } of listed.categories ?? [])
    if (await isMissing(() => categories.findOne({ slug }))) lost.push(slug);
  // a user may have changed categories during the check
  const [now] = await events.find({ type: "category" }, { sort: { seq: -1 }, limit: 1 });
  return (now?.seq ?? 0) > listed.seq ? [] : lost.map((slug) => missingItemLine("category", { companyId, slug }));
}

/** Compares the counters with a count of the SOPs and users. Counts again if users save during the count. */
async function findCounterDifferences(db: LedgerDatabase, companyId: string): Promise<string[]> {
  for (let attempt = 0; attempt < triesAtMost; attempt++) {
    const before = await loadCountersAndUserCounts(db, companyId);
    if (!before.counters) return [`company ${companyId}: its counters are missing`];
    const counted = await countSopsOfCompany(db, companyId);
    const after = await loadCountersAndUserCounts(db, companyId);
    if (JSON.stringify(after) !== JSON.stringify(before)) continue;
    const lines = counterDifferenceLines(before.counters, counted).map((line) => `company ${companyId}: ${line}`);
    return [...lines, ...missingUserLines(companyId, before)];
  }
  return [];
}

const projection = { userCount: 1 } as const;

async function loadCountersAndUserCounts(db: LedgerDatabase, companyId: string) {
  const counters = await db.collection("counters").findOne({ _id: companyId });
  return { counters, ...(await countUsers(db, companyId)) };
}

async function countUsers(db: LedgerDatabase, companyId: string) {
  const [company] = await db.collection("companies").find({ _id: companyId }, { limit: 1, projection });
  const users = await db
    .forCompany(companyId)
    .collection("users")
    .countDocuments({ status: { $ne: "deleted" } });
  return { userCount: company?.userCount ?? 0, users };
}

function missingUserLines(companyId: string, { userCount, users }: { userCount: number; users: number }): string[] {
  return users < userCount
    ? [`company ${companyId}: the counter userCount is ${userCount}, but there are ${users}`]
    : [];
}

/**
 * Returns a line for each company with fewer users than its counter says. A missing user can be the only system
 * administrator.
 */
export async function findMissingUserLines(db: LedgerDatabase): Promise<string[]> {
  const lines: string[] = [];
  for (const { _id } of await db.collection("companies").find({}, { projection }))
    lines.push(...missingUserLines(_id, await countUsers(db, _id)));
  return lines;
}

interface CountedSops {
  totals: CounterSteps;
  /** The highest number of an SOP. */
  number: number;
}

export async function countSopsOfCompany(db: LedgerDatabase, companyId: string): Promise<CountedSops> {
  const sops = db.forCompany(companyId).collection("sops");
  const counted: CountedSops = { totals: {}, number: 0 };
  for (let after = ""; ;) {
    const page: SopDocument[] = await sops.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: sopsAtOnce });
    for (const sop of page) {
      addCounts(counted.totals, countDelta(null, sop));
      counted.number = Math.max(counted.number, sop.number);
    }
    if (page.length < sopsAtOnce) return counted;
    after = page.at(-1)?._id ?? "";
    reportProgress();
    // let waiting requests run first
    await setImmediate();
  }
}

function counterDifferenceLines(counters: CounterDocument, { totals, number }: CountedSops): string[] {
  const stored: Record<string, number> = { published: counters.published };
  for (const [status, count] of Object.entries(counters.byStatus)) stored[`byStatus.${status}`] = count;
  for (const [category, counts] of Object.entries(counters.categories))
    for (const [name, count] of Object.entries(counts)) stored[`categories.${category}.${name}`] = count;
  const counted: Record<string, number | undefined> = { ...totals };
  const lines = [...new Set([...Object.keys(stored), ...Object.keys(totals)])].flatMap((key) =>
    (stored[key] ?? 0) === (counted[key] ?? 0)
      ? []
      : [`the counter ${key} is ${stored[key] ?? 0}, but there are ${counted[key] ?? 0}`],
  );
  if (number > counters.sopNumber) lines.push(`SOP number ${number} is above the counter ${counters.sopNumber}`);
  return lines;
}
