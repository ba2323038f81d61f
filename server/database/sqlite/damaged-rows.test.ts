import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { damageDocument } from "../../../test/damage.ts";
import { DamagedDocumentError } from "../port.ts";
import { testDeclarations, type Item, type TestCollections } from "../../../test/database/test-documents.ts";
import { openSqlite } from "./open.ts";

const root = mkdtempSync(join(tmpdir(), "sopwright-damaged-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const companyId = "c";
const items: Item[] = Array.from({ length: 12 }, (_, n) => ({
  _id: `item-${String(n).padStart(2, "0")}`,
  companyId,
  name: `name ${n}`,
  number: n,
  status: n % 2 === 0 ? "even" : "odd",
  email: `${n}@example.org`,
  count: n,
  words: [`word${n}`, "all"],
  meta: { size: n },
}));
const without = (...ids: string[]) => items.map(({ _id }) => _id).filter((id) => !ids.includes(id));

async function open(name: string, damaged: readonly string[], at: number) {
  const folder = join(root, name);
  const before = openSqlite<TestCollections>(folder, testDeclarations);
  await before.prepare();
  await before.collection("items").insertMany(items);
  const { file } = before;
  await before.close();
  for (const id of damaged) damageDocument(file, id, at);
  const met: string[] = [];
  const onDamage = (collection: string, id: string) => void met.push(`${collection} ${id}`);
  const db = openSqlite<TestCollections>(folder, testDeclarations, { onDamage });
  await db.prepare();
  return { db, met, all: db.collection("items") };
}
const idsOf = (found: readonly Item[]) => found.map(({ _id }) => _id);

// the first byte, a byte between keys, and one inside a text
describe.each([0, 18, 40])("a row damaged at byte %s", (at) => {
  const bad = "item-04";

  test("is left out of every list, and the page has its full length", async () => {
    const { db, met, all } = await open(`lists-${at}`, [bad], at);
    const rest = without(bad);
    const sort = { _id: 1 } as const;
    expect(idsOf(await all.find({}, { sort }))).toEqual(rest);
    expect(met).toEqual([`items ${bad}`]);
    expect(idsOf(await all.find({}, { sort, limit: 5 }))).toEqual(rest.slice(0, 5));
    expect(idsOf(await all.find({}, { sort, limit: 5, skip: 3 }))).toEqual(rest.slice(3, 8));
    expect(idsOf(await all.find({ _id: { $gt: "item-03" } }, { sort, limit: 1 }))).toEqual(["item-05"]);
    expect(idsOf(await all.find({ companyId, number: { $gte: 3 } }, { sort: { number: 1 }, limit: 2 }))).toEqual([
      "item-03",
      "item-05",
    ]);
    // no index has these
    expect(idsOf(await all.find({ status: "even" }, { sort: { count: -1 } }))).toEqual(
      rest.filter((id) => Number(id.slice(-2)) % 2 === 0).toReversed(),
    );
    expect(idsOf(await all.find({ companyId, words: "all" }, { sort }))).toEqual(rest);
    expect(idsOf(await all.find({ _id: { $in: ["item-03", bad, "item-05"] } }))).toEqual(["item-03", "item-05"]);
    expect(await all.countDocuments({ status: "even" })).toBe(5);
    expect(
      await all.aggregate([{ $match: { companyId } }, { $group: { _id: "$status", total: { $sum: 1 } } }]),
    ).toEqual([
      { _id: "even", total: 5 },
      { _id: "odd", total: 6 },
    ]);
    expect(await db.snapshot((moment) => moment.collection("items").find({}, { sort }))).toHaveLength(11);
    expect(await db.damage()).toContain(`document ${bad} of items: it can't be read`);
    expect(met).toEqual([`items ${bad}`]);
    await db.close();
  });

  test("is refused by name where it alone is asked for", async () => {
    const { db, all } = await open(`one-${at}`, [bad], at);
    const refused = expect.objectContaining({
      name: "DamagedDocumentError",
      message: `document ${bad} of items: it can't be read`,
    }) as unknown;
    for (const ask of [
      () => all.findOne({ _id: bad }),
      () => all.findOne({ companyId, number: 4 }),
      () => all.updateOne({ _id: bad }, { $set: { count: 1 } }),
      () => all.findOneAndUpdate({ _id: bad }, { $set: { count: 1 } }, { upsert: true }),
      () => all.deleteOne({ _id: bad }),
    ]) {
      await expect(ask()).rejects.toThrow(DamagedDocumentError);
      await expect(ask()).rejects.toEqual(refused);
    }
    // it could be the one
    await expect(all.findOne({ name: "name 4", status: "even" })).rejects.toEqual(refused);
    expect(await all.findOne({ name: "name 5" })).toMatchObject({ _id: "item-05" });
    await db.close();
  });

  test("stops no write of another row", async () => {
    const { db, all } = await open(`writes-${at}`, [bad, "item-07"], at);
    await all.insertOne({ _id: "new", companyId, number: 100 });
    await all.updateOne({ _id: "item-05" }, { $set: { name: "changed" } });
    expect(await all.updateMany({ companyId }, { $set: { status: "same" } })).toMatchObject({ matchedCount: 11 });
    await db.transaction((tx) => tx.forCompany(companyId).collection("items").deleteOne({ number: 6 }));
    expect(await all.deleteMany({ count: { $gte: 8 } })).toBe(4);
    expect(idsOf(await all.find({}, { sort: { _id: 1 } }))).toEqual([
      ...without(bad, "item-07", "item-06").slice(0, 5),
      "new",
    ]);
    await db.close();
  });
});
