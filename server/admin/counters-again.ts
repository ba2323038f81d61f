/**
 * The counters of a company that a backup lacks, counted again. Without them, its users can't save. Where documents are
 * lost too, what others say of them counts: no SOP gets the number of a lost one.
 */
import { numberLabel } from "#core/repository/names.ts";
import type { Collections, CounterDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { utf8Length } from "#core/markdown/limits.ts";
import { countAll } from "../integrity/ledger.ts";
import { countName } from "../sops/edit/numbers.ts";

const atOnce = 500;

export async function countersAgain(db: Database<Collections>, companyId: string): Promise<CounterDocument> {
  const company = db.forCompany(companyId);
  const { totals } = await countAll(db, companyId);
  const given = await givenNumbers(db, companyId);
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
    textBytes: await textBytesOf(db, companyId),
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

/** Of SOPs, and of those that only the ledger still names. */
async function givenNumbers(
  db: Database<Collections>,
  companyId: string,
): Promise<Pick<CounterDocument, "sopNumber" | "counts">> {
  const company = db.forCompany(companyId);
  let sopNumber = 0;
  const last: Record<string, number[]> = {};
  const take = (number: number, label: string) => {
    sopNumber = Math.max(sopNumber, number);
    const [, start = "", count = ""] = /^(.*?)(\d+)$/.exec(label) ?? [];
    (last[countName(start)] ??= []).push(Number(count));
  };
  const sops = company.collection("sops");
  const projection = { number: 1, label: 1 } as const;
  for (let after: string | undefined = ""; after !== undefined;) {
    const page: { _id: string; number: number; label: string }[] = await sops.find(
      { _id: { $gt: after } },
      { sort: { _id: 1 }, limit: atOnce, projection },
    );
    for (const { number, label } of page) take(number, label);
    after = page.at(-1)?._id;
  }
  for (let seq: number | undefined = -1; seq !== undefined;) {
    const page: { seq: number; items: { number: number; label?: string }[] }[] = await company
      .collection("repo_events")
      .find({ seq: { $gt: seq } }, { sort: { seq: 1 }, limit: atOnce, projection: { seq: 1, items: 1 } });
    for (const { items } of page) for (const { number, label } of items) take(number, label ?? numberLabel(number));
    seq = page.at(-1)?.seq;
  }
  const reserved = await company.collection("reserved_numbers").countDocuments({});
  // a higher count is of a number that someone chose
  const most = sopNumber + reserved;
  const counts = Object.fromEntries(
    Object.entries(last).map(([start, all]) => [start, Math.max(0, ...all.filter((count) => count <= most))]),
  );
  const isPlain = Object.keys(counts).every((start) => start === "SOP-") && (counts["SOP-"] ?? 0) === sopNumber;
  return isPlain ? { sopNumber } : { sopNumber, counts: { "SOP-": 0, ...counts } };
}

async function textBytesOf(db: Database<Collections>, companyId: string): Promise<number> {
  const company = db.forCompany(companyId);
  const texts = [
    ["sop_versions", "markdown"],
    ["proposals", "text"],
    ["comments", "content"],
  ] as const;
  let sum = 0;
  for (const [name, field] of texts) {
    const collection = company.collection(name as "comments");
    for (let after: string | undefined = ""; after !== undefined;) {
      const page: { _id: string }[] = await collection.find(
        { _id: { $gt: after } },
        { sort: { _id: 1 }, limit: atOnce },
      );
      for (const one of page) sum += utf8Length((one as Record<string, unknown>)[field]?.toString() ?? "");
      after = page.at(-1)?._id;
    }
  }
  return sum;
}
