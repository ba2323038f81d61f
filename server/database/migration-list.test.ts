import { expect, test } from "vitest";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { declarations } from "./collections.ts";
import type { Collections } from "./documents.ts";
import { migrations } from "./migration-list.ts";

describeEachEngine<Collections>("migrations of stored records", declarations, (open) => {
  test("10: keys made before letters like ø were folded are made anew, all others stay", async () => {
    const before = await open({ name: "keys", migrations: migrations.slice(0, 9) });
    const user = (name: string, nameKey: string, words: string[]) =>
      ({
        _id: name,
        name,
        username: nameKey.slice(0, 3),
        email: null,
        status: "active",
        nameKey,
        words,
      }) as unknown as Collections["users"];
    const ada = user("Ada", "ada", ["ada"]);
    const soren = user("Søren Łuk", "søren łuk", ["søren", "łuk", "sør"]);
    await before.collection("users").insertMany([ada, soren]);
    const labs = { _id: "c", name: "Ærø Labs", slug: "labs", industry: null, nameKey: "ærø labs", words: ["ærø"] };
    await before.collection("companies").insertOne(labs as unknown as Collections["companies"]);
    await before.close();
    const after = await open({ name: "keys", migrations });
    expect(await after.collection("users").find({}, { sort: { nameKey: 1 } })).toEqual([
      ada,
      { ...soren, nameKey: "soren luk", words: ["soren", "luk", "sor"] },
    ]);
    expect(await after.collection("companies").findOne({ _id: "c" })).toEqual({
      ...labs,
      nameKey: "aero labs",
      words: ["aero", "labs"],
    });
    await after.close();
  });
});
