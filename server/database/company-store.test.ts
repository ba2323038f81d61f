import { expect, test } from "vitest";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { CompanyScopeError } from "./company-store.ts";
import type { Database } from "./port.ts";
import { loose, type TestCollections, testDeclarations } from "../../test/database/test-documents.ts";

describeEachEngine<TestCollections>("the store of one company", testDeclarations, (open) => {
  let shared: Promise<Database<TestCollections>> | undefined;
  let round = 0;
  const two = async () => {
    const database = await (shared ??= open());
    round += 1;
    const [mine, theirs] = [`mine${round}`, `theirs${round}`];
    const own = database.forCompany(mine).collection("items");
    const other = database.forCompany(theirs).collection("items");
    await own.insertOne({ _id: `${mine}/a`, count: 1 });
    await other.insertOne({ _id: `${theirs}/a`, count: 1 });
    return { database, mine, theirs, own, other };
  };

  test("adds the company to inserts and never reaches another company", async () => {
    const { own, other, mine, theirs } = await two();
    expect(await own.find({})).toEqual([{ _id: `${mine}/a`, companyId: mine, count: 1 }]);
    expect(await own.findOne({ _id: `${theirs}/a` })).toBeNull();
    expect(await own.find({ _id: { $in: [`${mine}/a`, `${theirs}/a`] } })).toHaveLength(1);
    expect(await own.find({ $or: [{ count: 1 }, { count: 2 }] })).toHaveLength(1);
    expect(await own.countDocuments({ count: 1 })).toBe(1);
    expect(await own.aggregate([{ $group: { _id: "$count", n: { $sum: 1 } } }])).toEqual([{ _id: 1, n: 1 }]);
    expect(await own.aggregate([{ $match: { count: 1 } }, { $count: "n" }])).toEqual([{ n: 1 }]);
    expect(await own.updateMany({}, { $inc: { count: 1 } })).toMatchObject({ matchedCount: 1 });
    expect(await own.updateOne({ _id: `${theirs}/a` }, { $set: { count: 9 } })).toMatchObject({ matchedCount: 0 });
    expect(await own.findOneAndUpdate({ _id: `${theirs}/a` }, { $set: { count: 9 } })).toBeNull();
    expect(await own.deleteOne({ _id: `${theirs}/a` })).toBe(0);
    expect(await own.deleteMany({})).toBe(1);
    expect(await other.find({})).toEqual([{ _id: `${theirs}/a`, companyId: theirs, count: 1 }]);
  });

  test("keeps upserts and bulk writes within the company", async () => {
    const { own, other, mine, theirs } = await two();
    await own.updateOne({ name: "new" }, { $set: { count: 5 } }, { upsert: true });
    expect(await own.findOne({ name: "new" })).toMatchObject({ companyId: mine, count: 5 });
    await own.bulkWrite([
      { insertOne: { document: { _id: `${mine}/b` } } },
      { updateOne: { filter: { _id: `${theirs}/a` }, update: { $set: { count: 9 } } } },
      { deleteOne: { filter: { _id: `${theirs}/a` } } },
    ]);
    expect(await own.findOne({ _id: `${mine}/b` })).toMatchObject({ companyId: mine });
    expect(await other.findOne({ _id: `${theirs}/a` })).toMatchObject({ count: 1 });
    await expect(own.updateOne({ _id: `${theirs}/a` }, { $set: { count: 9 } }, { upsert: true })).rejects.toMatchObject(
      {
        name: "DuplicateKeyError",
      },
    );
  });

  test("works the same in transactions", async () => {
    const { database, mine, theirs } = await two();
    await database.transaction(async (transaction) => {
      const items = transaction.forCompany(mine).collection("items");
      await items.insertOne({ _id: `${mine}/t` });
      expect(await items.findOne({ _id: `${theirs}/a` })).toBeNull();
    });
    expect(await database.collection("items").findOne({ _id: `${mine}/t` })).toMatchObject({ companyId: mine });
  });

  test("refuses to name another company, in every position", async () => {
    const { own, theirs, mine } = await two();
    const refused = [
      own.find({ companyId: theirs }),
      own.find({ companyId: { $in: [mine, theirs] } }),
      own.find({ $or: [{ companyId: theirs }, { count: 1 }] }),
      own.find({ $and: [{ $nor: [{ companyId: theirs }] }] }),
      own.countDocuments({ companyId: null }),
      own.insertOne({ _id: "x", companyId: theirs }),
      own.insertMany([{ _id: "x" }, { _id: "y", companyId: theirs }]),
      own.updateOne({}, { $set: { companyId: theirs } }),
      own.updateMany({}, { $unset: { companyId: "" } }),
      loose(own).updateOne({}, { $set: { "companyId.x": 1 } }),
      own.findOneAndUpdate({}, { $setOnInsert: { companyId: theirs } }, { upsert: true }),
      own.deleteMany({ companyId: { $ne: mine } }),
      own.aggregate([{ $match: { companyId: theirs } }]),
      own.bulkWrite([{ updateOne: { filter: {}, update: { $set: { companyId: theirs } } } }]),
    ];
    for (const attempt of refused) await expect(attempt).rejects.toThrow(CompanyScopeError);
    expect(await own.find({ companyId: mine })).toHaveLength(1);
    await own.updateOne({}, { $set: { companyId: mine, count: 3 } });
    expect(await own.findOne({})).toMatchObject({ count: 3 });
  });

  test("refuses collections that don't belong to companies, and an empty company", async () => {
    const { database, mine } = await two();
    expect(() => database.forCompany(mine).collection("plain")).toThrow(CompanyScopeError);
    expect(() => database.forCompany(mine).collection("nothing" as "plain")).toThrow(CompanyScopeError);
    expect(() => database.forCompany("")).toThrow(CompanyScopeError);
    expect(() => database.forCompany(undefined as unknown as string)).toThrow(CompanyScopeError);
    expect(() => database.collection("nothing" as "plain")).toThrow("not declared");
  });
});
