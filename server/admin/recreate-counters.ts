/**
 * Computes the counters of a company if a backup lacks them. The caller stores the counters; without them, the
 * company's users can't save. SOPs that are missing in the backup but that the ledger names count too, so that a new
 * SOP can't get the number of a missing one.
 */
import { defaultNumberLabel } from "#core/repository/names.ts";
import type { Collections, CounterDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { utf8Length } from "#core/markdown/limits.ts";
import { countSopsOfCompany } from "../integrity/ledger.ts";
import { numberStartFieldName } from "../sops/edit/numbers.ts";

const atOnce = 500;

export async function reconstructCounters(db: Database<Collections>, companyId: string): Promise<CounterDocument> {
  const company = db.forCompany(companyId);
  const { totals } = await countSopsOfCompany(db, companyId);
  const given = await findHighestSopNumbers(db, companyId);
  const [event] = await company.collection("repo_events").find({}, { sort: { seq: -1 }, limit: 1 });
  const [version] = await company.collection("sop_versions").find({}, { sort: { repoSeq: -1 }, limit: 1 });
  const [told] = await company.collection("events").find({}, { sort: { seq: -1 }, limit: 1 });
  const [proposal] = await company.collection("proposals").find({}, { sort: { number: -1 }, limit: 1 });
  const counters: CounterDocument = {
    _id: companyId,
    companyId,
    sopNumber: given.sopNumber,
    ...(given.counts && { counts: given.counts }),
    repoSeq: Math.max(event?.seq ?? 0, version?.repoSeq ?? 0),
    eventSeq: told?.seq ?? 0,
    ...(proposal && { proposalNumber: proposal.number }),
    textBytes: await countStoredTextBytes(db, companyId),
    byStatus: {},
    published: totals.published ?? 0,
    categories: {},
  };
  for (const [path, count = 0] of Object.entries(totals)) {
    const [group, name = "", kind] = path.split(".");
    if (group === "byStatus") counters.byStatus[name] = count;
    if (group !== "categories") continue;
    const category = (counters.categories[name] ??= { live: 0, published: 0 });
    category[kind as "live" | "published"] = count;
  }
  return counters;
}

/** Returns the highest numbers of SOPs, including SOPs that only the ledger still names. */
async function findHighestSopNumbers(
  db: Database<Collections>,
  companyId: string,
): Promise<Pick<CounterDocument, "sopNumber" | "counts">> {
  const company = db.forCompany(companyId);
  let sopNumber = 0;
  const last: Record<string, number[]> = {};
  const countNumber = (number: number, label: string) => {
    sopNumber = Math.max(sopNumber, number);
    const [, start = "", count = ""] = /^(.*?)(\d+)$/.exec(label) ?? [];
    (last[numberStartFieldName(start)] ??= []).push(Number(count));
  };
  const sops = readInPages(
    (after: string = "") =>
      company
        .collection("sops")
        .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: atOnce, projection: { number: 1, label: 1 } }),
    ({ _id }) => _id,
  );
  for await (const { number, label } of sops) countNumber(number, label);
  const events = readInPages(
    (after: number = -1) =>
      company
        .collection("repo_events")
        .find({ seq: { $gt: after } }, { sort: { seq: 1 }, limit: atOnce, projection: { seq: 1, items: 1 } }),
    ({ seq }) => seq,
  );
  for await (const { items } of events)
    for (const { number, label } of items) countNumber(number, label ?? defaultNumberLabel(number));
  const reserved = await company.collection("reserved_numbers").countDocuments({});
  // a count above this number comes from an SOP number that a user chose
  const most = sopNumber + reserved;
  const counts = Object.fromEntries(
    Object.entries(last).map(([start, all]) => [start, Math.max(0, ...all.filter((count) => count <= most))]),
  );
  const isPlain = Object.keys(counts).every((start) => start === "SOP-") && (counts["SOP-"] ?? 0) === sopNumber;
  return isPlain ? { sopNumber } : { sopNumber, counts: { "SOP-": 0, ...counts } };
}

async function countStoredTextBytes(db: Database<Collections>, companyId: string): Promise<number> {
  const company = db.forCompany(companyId);
  const texts = [
    ["sop_versions", "markdown"],
    ["proposals", "text"],
    ["comments", "content"],
  ] as const;
  let sum = 0;
  for (const [name, field] of texts) {
    const collection = company.collection(name as "comments");
    const documents = readInPages(
      (after: string = "") => collection.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: atOnce }),
      ({ _id }) => _id,
    );
    for await (const one of documents) sum += utf8Length(String(Reflect.get(one, field) ?? ""));
  }
  return sum;
}

/**
 * Yields all documents of a collection, page by page.
 * @param read returns the page of documents after a key, in the order of keys
 */
async function* readInPages<T, Key>(
  read: (after?: Key) => Promise<readonly T[]>,
  keyOf: (document: T) => Key,
): AsyncGenerator<T> {
  for (let page = await read(), last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page;
    page = await read(keyOf(last));
  }
}
