import { expect, test } from "vitest";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { declarations } from "./collections.ts";
import type { Collections, SopDocument } from "./documents.ts";
import { migrations } from "./migration-list.ts";
import { type TestCollections, testDeclarations } from "./test-documents.ts";

describeEachEngine<TestCollections>("indexes of an earlier version", testDeclarations, (open) => {
  test("are dropped once, and block nothing afterwards", async () => {
    const { items } = testDeclarations;
    const dropped = ["number", "words"];
    const later = { ...items, indexes: items.indexes.filter(({ name }) => !dropped.includes(name)), dropped };
    const options = { name: "dropped", declarations: { ...testDeclarations, items: later } };
    const before = await open({ name: "dropped" });
    const one = { companyId: "c", number: 1, words: ["one", "two"] };
    await before.collection("items").insertOne({ _id: "a", ...one });
    await expect(before.collection("items").insertOne({ _id: "b", ...one })).rejects.toThrow();
    await before.close();
    for (const _id of ["b", "c"]) {
      const after = await open(options);
      await after.collection("items").insertOne({ _id, ...one });
      expect((await after.collection("items").find({ words: "two" })).map((item) => item._id)).toContain(_id);
      await after.close();
    }
  });
});

describeEachEngine<TestCollections>("a collection with a new name", testDeclarations, (open) => {
  test("keeps its documents and gets its indexes", async () => {
    const { items: _items, ...rest } = testDeclarations;
    const things = { ...testDeclarations.items, formerly: "items" };
    const before = await open({ name: "renamed" });
    await before.collection("items").insertOne({ _id: "a", companyId: "c", number: 1, words: ["one", "two"] });
    await before.close();
    for (const _id of ["b", "c"]) {
      const after = await open({ name: "renamed", declarations: { ...rest, things } as never });
      const collection = after.collection("things" as "items");
      await collection.insertOne({ _id, companyId: "c", number: _id.codePointAt(0) ?? 0, words: ["two"] });
      expect((await collection.find({ words: "one" })).map((item) => item._id)).toEqual(["a"]);
      await expect(collection.insertOne({ _id: "x", companyId: "c", number: 1 })).rejects.toThrow();
      await after.close();
    }
  });
});

describeEachEngine<Collections>("the words stored with SOPs", declarations, (open) => {
  test("are removed, and nothing else of the SOPs", async () => {
    const before = await open({ name: "words", migrations: migrations.slice(0, 8) });
    const sop = (_id: string, number: number, fields: object) =>
      ({ _id, companyId: "c", number, slug: _id, title: "T", ...fields }) as unknown as SopDocument;
    const words = ["words"];
    const sops = [
      sop("draft", 1, { words, inForce: null, scheduled: null }),
      sop("published", 2, { words, inForce: { title: "T", words }, scheduled: { title: "T", words } }),
      sop("without", 3, { inForce: null, scheduled: null }),
    ];
    for (const one of sops) await before.collection("sops").insertOne(one);
    await before.close();
    const after = await open({ name: "words", migrations: migrations.slice(0, 9) });
    expect(await after.collection("sops").find({}, { sort: { number: 1 } })).toEqual([
      sop("draft", 1, { inForce: null, scheduled: null }),
      sop("published", 2, { inForce: { title: "T" }, scheduled: { title: "T" } }),
      sop("without", 3, { inForce: null, scheduled: null }),
    ]);
    await after.close();
  });
});
