import { expect, test } from "vitest";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { UnsupportedOperationError, UpdateTypeError } from "./check-operation.ts";
import { type Database, DuplicateKeyError } from "./port.ts";
import { type Item, loose, type TestCollections, testDeclarations } from "../../test/database/test-documents.ts";

describeEachEngine<TestCollections>("the storage port", testDeclarations, (open) => {
  let shared: Promise<Database<TestCollections>> | undefined;
  let companies = 0;
  /** A collection that holds the given documents alone. */
  const filled = async (documents: Omit<Item, "companyId">[] = []) => {
    const database = await (shared ??= open());
    companies += 1;
    const companyId = `c${companies}`;
    const items = database.forCompany(companyId).collection("items");
    const unique = documents.map((document) => ({ ...document, _id: `${companyId}/${document._id}` }));
    await items.insertMany(unique);
    return { database, items, companyId, id: (name: string) => `${companyId}/${name}` };
  };
  const ids = (found: readonly { _id: string }[]) => found.map(({ _id }) => _id.split("/")[1]);

  test("finds by filter, sort, skip, limit and projection", async () => {
    const { items, id } = await filled([
      { _id: "a", name: "Ann", count: 3, meta: { size: 1 } },
      { _id: "b", name: "Bob", count: 1, meta: { size: 2 } },
      { _id: "c", name: "Cid", count: 2 },
    ]);
    expect(ids(await items.find({}, { sort: { count: 1 } }))).toEqual(["b", "c", "a"]);
    expect(ids(await items.find({ count: { $gte: 2 } }, { sort: { count: -1 } }))).toEqual(["a", "c"]);
    expect(ids(await items.find({}, { sort: { name: -1 }, skip: 1, limit: 1 }))).toEqual(["b"]);
    expect(ids(await items.find({ "meta.size": 2 }))).toEqual(["b"]);
    expect(ids(await items.find({ $or: [{ name: "Ann" }, { count: 2 }] }, { sort: { _id: 1 } }))).toEqual(["a", "c"]);
    expect(await items.find({ name: "Bob" }, { projection: { name: 1 } })).toEqual([{ _id: id("b"), name: "Bob" }]);
    expect(await items.findOne({ name: "Bob" }, { projection: { _id: 0, name: 1 } })).toEqual({ name: "Bob" });
    const without = await items.findOne({ name: "Ann" }, { projection: { meta: 0, companyId: 0 } });
    expect(without).toEqual({ _id: id("a"), name: "Ann", count: 3 });
    expect(await items.findOne({ name: "Dan" })).toBeNull();
    expect(ids(await items.find({ _id: { $in: [id("c"), id("a"), id("x")] } }, { sort: { _id: 1 } }))).toEqual([
      "a",
      "c",
    ]);
    expect(await items.find({}, { limit: 0 })).toEqual([]);
  });

  test("matches null and missing by null; $exists distinguishes them", async () => {
    const { items } = await filled([
      { _id: "none" },
      { _id: "null", deletedAt: null },
      { _id: "set", deletedAt: "2026-01-01T00:00:00.000Z" },
    ]);
    const sort = { _id: 1 } as const;
    expect(ids(await items.find({ deletedAt: null }, { sort }))).toEqual(["none", "null"]);
    expect(ids(await items.find({ deletedAt: { $ne: null } }, { sort }))).toEqual(["set"]);
    expect(ids(await items.find({ deletedAt: { $exists: true } }, { sort }))).toEqual(["null", "set"]);
    expect(ids(await items.find({ deletedAt: { $exists: false } }, { sort }))).toEqual(["none"]);
    expect(ids(await items.find({ deletedAt: { $gt: "" } }, { sort }))).toEqual(["set"]);
    expect(ids(await items.find({ deletedAt: { $in: [null, "x"] } }, { sort }))).toEqual(["none", "null"]);
  });

  test("matches arrays by element, and by prefix within one element", async () => {
    const { items } = await filled([
      { _id: "a", words: ["apply", "boil"], tags: ["x"] },
      { _id: "b", words: ["clean", "zap"], tags: ["x", "y"] },
      { _id: "c" },
    ]);
    const sort = { _id: 1 } as const;
    expect(ids(await items.find({ words: "boil" }, { sort }))).toEqual(["a"]);
    expect(ids(await items.find({ words: { $in: ["zap", "apply"] } }, { sort }))).toEqual(["a", "b"]);
    expect(ids(await items.find({ words: { $elemMatch: { $gte: "cl", $lt: "cm" } } }, { sort }))).toEqual(["b"]);
    expect(ids(await items.find({ words: { $elemMatch: { $gte: "c", $lt: "d", $ne: "clean" } } }))).toEqual([]);
    expect(ids(await items.find({ words: { $gte: "c", $lt: "d" } }, { sort }))).toEqual(["b"]);
    expect(ids(await items.find({ tags: { $ne: "y" } }, { sort }))).toEqual(["a", "c"]);
    expect(await items.updateOne({ tags: "y" }, { $set: { words: ["new"] } })).toMatchObject({ modifiedCount: 1 });
    expect(ids(await items.find({ words: "zap" }))).toEqual([]);
    expect(ids(await items.find({ words: "new" }))).toEqual(["b"]);
    await items.deleteOne({ words: "new" });
    expect(ids(await items.find({ words: "new" }))).toEqual([]);
  });

  test("updates with every operator", async () => {
    const { items, id, companyId } = await filled([
      { _id: "a", count: 5, name: "n", words: ["p", "q", "r"], tags: ["t"], meta: { size: 1 } },
    ]);
    const done = await items.updateOne(
      { _id: id("a") },
      {
        $set: { "meta.owner.id": "u1", status: "draft" },
        $unset: { name: "" },
        $inc: { count: -2 },
        $addToSet: { words: { $each: ["s", "q", "s"] }, tags: "t" },
        $setOnInsert: { email: "never@example.com" },
        $max: { "meta.size": 9 },
      },
    );
    expect(done).toEqual({ matchedCount: 1, modifiedCount: 1, upsertedId: null });
    expect(await items.findOne({ _id: id("a") })).toEqual({
      _id: id("a"),
      companyId,
      count: 3,
      status: "draft",
      words: ["p", "q", "r", "s"],
      tags: ["t"],
      meta: { size: 9, owner: { id: "u1" } },
    });
    const owners = [{ id: "u1" }, { id: "u2", part: 1 }];
    await items.updateOne({ _id: id("a") }, { $set: { owners }, $pull: { words: "r" }, $max: { count: 1 } });
    await items.updateOne({ _id: id("a") }, { $pull: { owners: { id: "u2", part: { $gt: 0 } } } });
    expect(await items.findOne({ _id: id("a") })).toMatchObject({
      count: 3,
      words: ["p", "q", "s"],
      owners: [{ id: "u1" }],
    });
    const same = await items.updateOne({ _id: id("a") }, { $set: { status: "draft" } });
    expect(same).toEqual({ matchedCount: 1, modifiedCount: 0, upsertedId: null });
    expect(await items.updateOne({ _id: "x" }, { $set: { status: "draft" } })).toMatchObject({ matchedCount: 0 });
  });

  test("updates many, deletes one and many, counts", async () => {
    const { items } = await filled([
      { _id: "a", count: 1 },
      { _id: "b", count: 2 },
      { _id: "c", count: 2, status: "on" },
    ]);
    expect(await items.updateMany({ count: 2 }, { $set: { status: "on" } })).toEqual({
      matchedCount: 2,
      modifiedCount: 1,
      upsertedId: null,
    });
    expect(await items.countDocuments({})).toBe(3);
    expect(await items.countDocuments({ status: "on" })).toBe(2);
    expect(await items.countDocuments({}, { limit: 2 })).toBe(2);
    expect(await items.deleteOne({ count: 2 })).toBe(1);
    expect(await items.deleteMany({})).toBe(2);
    expect(await items.deleteMany({})).toBe(0);
  });

  test("returns the document before or after findOneAndUpdate, the first by sort, or null", async () => {
    const { items, id, companyId } = await filled([
      { _id: "a", count: 1 },
      { _id: "b", count: 2 },
    ]);
    const before = await items.findOneAndUpdate({}, { $inc: { count: 10 } }, { sort: { count: -1 } });
    expect(before).toEqual({ _id: id("b"), companyId, count: 2 });
    const after = await items.findOneAndUpdate(
      { _id: id("b") },
      { $inc: { count: 1 } },
      { returnDocument: "after", projection: { count: 1 } },
    );
    expect(after).toEqual({ _id: id("b"), count: 13 });
    expect(await items.findOneAndUpdate({ _id: "x" }, { $inc: { count: 1 } })).toBeNull();
    const created = await items.findOneAndUpdate(
      { _id: id("c") },
      { $inc: { count: 1 } },
      { returnDocument: "after", upsert: true },
    );
    expect(created).toEqual({ _id: id("c"), companyId, count: 1 });
  });

  test("inserts the filter's equalities and the update in an upsert, with an id of ours", async () => {
    const { items, companyId } = await filled();
    const first = await items.updateOne(
      { name: "k", count: { $gt: 5 }, $and: [{ status: { $eq: "s" } }] },
      { $set: { "meta.size": 1 }, $setOnInsert: { words: ["w"] } },
      { upsert: true },
    );
    expect(first).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedId: expect.any(String) });
    expect(await items.findOne({ name: "k" })).toEqual({
      _id: first.upsertedId,
      companyId,
      name: "k",
      status: "s",
      words: ["w"],
      meta: { size: 1 },
    });
    const again = await items.updateOne({ name: "k" }, { $set: { status: "t" } }, { upsert: true });
    expect(again).toEqual({ matchedCount: 1, modifiedCount: 1, upsertedId: null });
  });

  test("aggregates: match, sort, limit, project, group, count", async () => {
    const { items } = await filled([
      { _id: "a", status: "x", count: 1 },
      { _id: "b", status: "y", count: 2 },
      { _id: "c", status: "x", count: 3 },
    ]);
    const groups = await items.aggregate([
      { $match: { count: { $gt: 0 } } },
      { $group: { _id: "$status", n: { $sum: 1 }, sum: { $sum: "$count" } } },
      { $sort: { _id: 1 } },
    ]);
    expect(groups).toEqual([
      { _id: "x", n: 2, sum: 4 },
      { _id: "y", n: 1, sum: 2 },
    ]);
    expect(await items.aggregate([{ $match: { status: "x" } }, { $count: "total" }])).toEqual([{ total: 2 }]);
    const top = await items.aggregate([{ $sort: { count: -1 } }, { $limit: 1 }, { $project: { _id: 0, count: 1 } }]);
    expect(top).toEqual([{ count: 3 }]);
    await expect(loose(items).aggregate([{ $lookup: {} }])).rejects.toThrow(UnsupportedOperationError);
  });

  test("groups documents without the field under null, and sums numbers only", async () => {
    const { items } = await filled([
      { _id: "a", count: 1 },
      { _id: "b", status: "x", count: 2, meta: { size: 3 } },
      { _id: "c", status: "x", count: 4 },
    ]);
    const groups = await items.aggregate([
      { $group: { _id: "$status", size: { $sum: "$meta.size" }, status: { $sum: "$status" } } },
      { $sort: { _id: 1 } },
    ]);
    expect(groups).toEqual([
      { _id: null, size: 0, status: 0 },
      { _id: "x", size: 3, status: 0 },
    ]);
  });

  test.each([
    { $group: { _id: { $toLower: "$status" } } },
    { $group: { _id: "$status", most: { $max: "$count" } } },
    { $project: { twice: { $add: ["$count", "$count"] } } },
  ])("refuses %j, which only one engine knows", async (stage) => {
    const { items } = await filled([{ _id: "a" }]);
    await expect(loose(items).aggregate([stage])).rejects.toThrow(UnsupportedOperationError);
  });

  test("performs the operations of bulkWrite in order, all or none", async () => {
    const { items, id } = await filled([{ _id: "a", count: 1 }]);
    await items.bulkWrite([
      { insertOne: { document: { _id: id("b"), count: 1 } } },
      { updateOne: { filter: { _id: id("b") }, update: { $inc: { count: 1 } } } },
      { updateOne: { filter: { _id: id("c") }, update: { $set: { count: 9 } }, upsert: true } },
      { deleteOne: { filter: { _id: id("a") } } },
    ]);
    expect((await items.find({}, { sort: { _id: 1 } })).map(({ count }) => count)).toEqual([2, 9]);
    const clash = items.bulkWrite([
      { deleteOne: { filter: { _id: id("c") } } },
      { insertOne: { document: { _id: id("b") } } },
    ]);
    await expect(clash).rejects.toThrow(DuplicateKeyError);
    expect(ids(await items.find({}, { sort: { _id: 1 } }))).toEqual(["b", "c"]);
    await items.bulkWrite([]);
    await items.insertMany([]);
  });

  test("stores nothing of a refused insertMany", async () => {
    const { items, id } = await filled();
    const clash = items.insertMany([
      { _id: id("a"), number: 1 },
      { _id: id("b"), number: 1 },
    ]);
    await expect(clash).rejects.toMatchObject({ name: "DuplicateKeyError", index: "number" });
    expect(await items.countDocuments({})).toBe(0);
  });

  test("names the unique index in a refusal, also a partial one", async () => {
    const { items, id } = await filled([{ _id: "a", number: 1 }, { _id: "b" }, { _id: "c" }]);
    await expect(items.insertOne({ _id: id("a") })).rejects.toMatchObject({ index: "_id_" });
    await expect(items.insertOne({ _id: id("d"), number: 1 })).rejects.toMatchObject({ index: "number" });
    await expect(items.updateOne({ _id: id("b") }, { $set: { number: 1 } })).rejects.toThrow(DuplicateKeyError);
    await items.insertMany([
      { _id: id("e"), name: "n", status: "pending" },
      { _id: id("f"), name: "n", status: "done" },
    ]);
    await expect(items.updateOne({ _id: id("f") }, { $set: { status: "pending" } })).rejects.toMatchObject({
      index: "pending",
    });
    await items.updateOne({ _id: id("e") }, { $set: { status: "done" } });
    await items.updateOne({ _id: id("f") }, { $set: { status: "pending" } });
    // A missing field counts as null within a unique index
    await items.insertOne({ _id: id("g"), status: "pending" });
    await expect(items.insertOne({ _id: id("h"), status: "pending" })).rejects.toMatchObject({ index: "pending" });
  });

  test("gives a unique key to one of many concurrent writers", async () => {
    const { items, id } = await filled();
    const attempts = Array.from({ length: 20 }, (_, index) => items.insertOne({ _id: id(`n${index}`), number: 7 }));
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toBeInstanceOf(DuplicateKeyError);
    expect(await items.countDocuments({ number: 7 })).toBe(1);
  });

  test("holds a quota with conditional increments under concurrency", async () => {
    const { items, id } = await filled([{ _id: "q", count: 0 }]);
    const take = () => items.updateOne({ _id: id("q"), count: { $lt: 3 } }, { $inc: { count: 1 } });
    const results = await Promise.all(Array.from({ length: 15 }, take));
    expect(results.reduce((sum, { modifiedCount }) => sum + modifiedCount, 0)).toBe(3);
    expect(await items.findOne({ _id: id("q") })).toMatchObject({ count: 3 });
  });

  test("keeps bytes separately and returns them by name", async () => {
    const database = await (shared ??= open());
    const blobs = database.forCompany("blobs").collection("blobs");
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
    await blobs.insertOne({ _id: "one", companyId: "blobs", type: "image/png", bytes });
    await blobs.insertOne({ _id: "two", companyId: "blobs", type: "image/png" });
    expect(await blobs.findOne({ _id: "one" })).toEqual({ _id: "one", companyId: "blobs", type: "image/png" });
    expect(await blobs.findOne({ _id: "one" }, { projection: { bytes: 1 } })).toEqual({ _id: "one", bytes });
    expect(await blobs.findOne({ _id: "one" }, { projection: { companyId: 0 } })).toEqual({
      _id: "one",
      type: "image/png",
    });
    expect(await blobs.findOne({ _id: "two" }, { projection: { bytes: 1 } })).toEqual({ _id: "two" });
    await blobs.updateOne({ _id: "one" }, { $set: { bytes: Uint8Array.of(1, 2), type: "image/gif" } });
    const changed = await blobs.findOne({ _id: "one" }, { projection: { bytes: 1, type: 1 } });
    expect(changed).toEqual({ _id: "one", bytes: Uint8Array.of(1, 2), type: "image/gif" });
    await blobs.updateOne({ _id: "one" }, { $unset: { bytes: "" } });
    expect(await blobs.findOne({ _id: "one" }, { projection: { bytes: 1 } })).toEqual({ _id: "one" });
    await expect(loose(blobs).updateOne({ _id: "one" }, { $set: { bytes: "text" } })).rejects.toThrow(
      UnsupportedOperationError,
    );
  });

  test("treats undefined in a document as absent, and refuses it in a filter", async () => {
    const { items, id, companyId } = await filled();
    await items.insertOne({ _id: id("a"), name: undefined, meta: { size: undefined } } as unknown as Item);
    expect(await items.findOne({ _id: id("a") })).toEqual({ _id: id("a"), companyId, meta: {} });
    await items.updateOne({ _id: id("a") }, { $set: { name: undefined, count: 1 } });
    expect(await items.findOne({ _id: id("a") })).toEqual({ _id: id("a"), companyId, count: 1, meta: {} });
    expect(await items.updateOne({ _id: id("a") }, { $set: { name: undefined } })).toMatchObject({ matchedCount: 1 });
    await expect(loose(items).find({ name: undefined })).rejects.toThrow(UnsupportedOperationError);
    await expect(loose(items).deleteMany({ count: { $gt: undefined } })).rejects.toThrow(UnsupportedOperationError);
  });

  test.each<[object]>([
    [{ $where: "1" }],
    [{ name: { $regex: "a" } }],
    [{ meta: { size: 1 } }],
    [{ name: ["a"] }],
    [{ $or: [] }],
    [{ name: {} }],
    [{ name: { $in: "a" } }],
    [{ name: { $not: { $gt: "a" } } }],
    [{ words: { $elemMatch: { length: 1 } } }],
    [{ words: { $elemMatch: { $exists: true } } }],
    [{ words: { $elemMatch: {} } }],
  ])("refuses the filter %j", async (filter) => {
    const { items } = await filled();
    await expect(loose(items).find(filter)).rejects.toThrow(UnsupportedOperationError);
    await expect(loose(items).countDocuments(filter)).rejects.toThrow(UnsupportedOperationError);
  });

  test.each<[object]>([
    [{}],
    [{ name: "replacement" }],
    [{ $rename: { a: "b" } }],
    [{ $set: { _id: "other" } }],
    [{ $set: { "words.0": "x" } }],
    [{ $set: { "words.$": "x" } }],
    [{ $inc: { count: "1" } }],
    [{ $set: { name: new Date(0) } }],
    [{ $addToSet: { words: { $each: ["a"], $slice: 1 } } }],
    [{ $pull: { words: { $in: ["a"] } } }],
    [{ $push: { words: "a" } }],
    [{ $min: { count: 1 } }],
  ])("refuses the update %j", async (update) => {
    const { items } = await filled([{ _id: "a" }]);
    await expect(loose(items).updateMany({}, update)).rejects.toThrow(UnsupportedOperationError);
  });

  test.each<[object]>([
    [{ $inc: { name: 1 } }],
    [{ $pull: { name: "x" } }],
    [{ $addToSet: { count: 1 } }],
    [{ $set: { "name.first": "x" } }],
    [{ $set: { "words.first": "x" } }],
  ])("changes nothing by an update that doesn't fit the stored type: %j", async (update) => {
    const { items, id } = await filled([{ _id: "a", name: "n", count: 1, words: ["w"] }]);
    const before = await items.findOne({ _id: id("a") });
    await expect(loose(items).updateOne({ _id: id("a") }, { $set: { status: "new" }, ...update })).rejects.toThrow();
    await expect(loose(items).updateOne({ _id: id("a") }, update)).rejects.toThrow(UpdateTypeError);
    expect(await items.findOne({ _id: id("a") })).toEqual(before);
  });

  test("refuses documents without a string id or with what JSON can't hold", async () => {
    const { items, id } = await filled();
    for (const document of [{ name: "x" }, { _id: 5 }, { _id: id("d"), at: new Date(0) }, { _id: id("n"), count: NaN }])
      await expect(items.insertOne(document as unknown as Item)).rejects.toThrow(UnsupportedOperationError);
  });

  test("keeps any text: quotes, control characters, emoji, right to left", async () => {
    const { items, id } = await filled();
    const name = `O'Brien "x" \\ \n \u0001 🧪 שלום \uFB01 ${"ä".repeat(5000)}`;
    await items.insertOne({ _id: id("a"), name, words: [name] });
    expect(await items.findOne({ name })).toMatchObject({ name });
    expect(await items.countDocuments({ words: name })).toBe(1);
  });

  test("shows one moment in a snapshot while others write, and refuses writes there", async () => {
    const { database, items, companyId, id } = await filled([
      { _id: "a", count: 1 },
      { _id: "b", count: 1 },
    ]);
    const own = { companyId };
    await database.snapshot(async (moment) => {
      const within = moment.collection("items");
      expect(await within.countDocuments(own)).toBe(2);
      await database.transaction(async (tx) => {
        await tx.collection("items").updateMany(own, { $set: { count: 2 } });
        await tx.collection("items").insertOne({ _id: id("c"), companyId, count: 2 });
      });
      await items.deleteOne({ _id: id("a") });
      const found = await within.find({ companyId, _id: { $gt: "" } }, { sort: { _id: 1 }, limit: 5 });
      expect(found.map(({ _id, count }) => [_id, count])).toEqual([
        [id("a"), 1],
        [id("b"), 1],
      ]);
      expect(await within.findOne({ _id: id("c") })).toBeNull();
      await expect(within.insertOne({ _id: id("d"), companyId })).rejects.toThrow("for reading only");
    });
    expect(ids(await items.find({}, { sort: { _id: 1 } }))).toEqual(["b", "c"]);
  });

  test("returns the time of its own clock", async () => {
    const database = await (shared ??= open());
    const [first, second] = [await database.now(), await database.now()];
    expect(new Date(first).toISOString()).toBe(first);
    expect(second >= first).toBe(true);
  });

  test("answers a ping", async () => {
    await expect((await (shared ??= open())).ping()).resolves.toBeUndefined();
  });
});
