import { expect, test } from "vitest";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { SchemaError } from "./migrations.ts";
import type { Migration } from "./port.ts";
import { type TestCollections, testDeclarations } from "./test-documents.ts";

const steps: Migration<TestCollections>[] = [
  { number: 1, name: "seed", run: async (db) => db.collection("plain").insertOne({ _id: "seed", value: 1 }) },
  {
    number: 2,
    name: "double",
    run: async (db) => void (await db.collection("plain").updateMany({}, { $set: { value: 2 } })),
  },
];

describeEachEngine<TestCollections>("migrations", testDeclarations, (open) => {
  test("run once, in order, across restarts and new migrations", async () => {
    const first = await open({ name: "restarts", migrations: steps.slice(0, 1) });
    expect(await first.collection("plain").find({})).toEqual([{ _id: "seed", value: 1 }]);
    await first.close();
    const second = await open({ name: "restarts", migrations: steps });
    expect(await second.collection("plain").find({})).toEqual([{ _id: "seed", value: 2 }]);
    await second.collection("plain").deleteMany({});
    await second.prepare();
    expect(await second.collection("plain").find({})).toEqual([]);
    await second.close();
  });

  test("refuse a newer schema and a different history", async () => {
    const newer = await open({ name: "older", migrations: steps });
    await newer.close();
    const older = await open({ name: "older", migrations: steps.slice(0, 1), prepare: false });
    await expect(older.prepare()).rejects.toThrow(/schema 2 \(double\).*run the newer version/);
    await older.close();
    const [one, two] = steps as [Migration<TestCollections>, Migration<TestCollections>];
    const other = await open({ name: "older", migrations: [one, { ...two, name: "halve" }], prepare: false });
    await expect(other.prepare()).rejects.toThrow(SchemaError);
    await other.close();
  });

  test("leave nothing behind when one fails, and stop the start", async () => {
    const failing: Migration<TestCollections> = {
      number: 2,
      name: "double",
      run: async (db) => {
        await db.collection("plain").deleteMany({});
        throw new Error("half way");
      },
    };
    const broken = await open({ name: "failing", migrations: [...steps.slice(0, 1), failing], prepare: false });
    await expect(broken.prepare()).rejects.toThrow("half way");
    expect(await broken.collection("plain").countDocuments({})).toBe(1);
    await broken.close();
    const repaired = await open({ name: "failing", migrations: steps });
    expect(await repaired.collection("plain").find({})).toEqual([{ _id: "seed", value: 2 }]);
    await repaired.close();
  });

  test("refuse gaps in their numbers", async () => {
    const database = await open({ migrations: steps.slice(1), prepare: false });
    await expect(database.prepare()).rejects.toThrow(/numbered without gaps/);
  });
});
