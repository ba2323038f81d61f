import { expect, test } from "vitest";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { type TestCollections, testDeclarations } from "../../test/database/test-documents.ts";

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
