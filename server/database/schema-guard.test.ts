import { expect, test } from "vitest";
import { describeEachEngine, describeMongo } from "../../test/database/each-engine.ts";
import { migrationRecordCollection, NewerSchemaError, migrationRecordId, SchemaError } from "./migrations.ts";
import type { Database, Migration } from "./port.ts";
import { testDeclarations, type TestCollections } from "../../test/database/test-documents.ts";

const first: Migration<TestCollections> = { number: 1, name: "first", passes: [] };
const next = { number: 2, name: "next", checksum: "", at: "2026-06-01T08:00:00.000Z" };

async function takeOver(database: Database<TestCollections>): Promise<Error> {
  // as a server of the version after
  await migrationRecordCollection(database).insertOne({ _id: migrationRecordId(next), ...next });
  return database.outdated;
}

describeEachEngine<TestCollections>("a database that a newer version takes over", testDeclarations, (open) => {
  test("refuses each write, and can still be read", async () => {
    const database = await open({ migrations: [first], followsSchema: true });
    const plain = database.collection("plain");
    await plain.insertOne({ _id: "a", value: 1 });
    const error = await takeOver(database);
    expect(error.message).toBe("the database has schema 2 (next), this program knows up to 1: run the newer version");
    for (const write of [
      () => plain.insertOne({ _id: "b" }),
      () => plain.updateOne({ _id: "a" }, { $set: { value: 2 } }),
      () => plain.deleteMany({}),
      () => plain.bulkWrite([{ insertOne: { document: { _id: "c" } } }]),
      () => database.transaction((tx) => tx.collection("plain").insertOne({ _id: "d" })),
    ])
      await expect(write()).rejects.toThrow(NewerSchemaError);
    expect(await plain.find({})).toEqual([{ _id: "a", value: 1 }]);
  });

  test.each<[string, (records: ReturnType<typeof migrationRecordCollection>) => Promise<unknown>, string]>([
    [
      "a later step than the next",
      (records) => records.insertOne({ ...next, _id: migrationRecordId({ number: 99 }), number: 99 }),
      "the database has schema 99 (next), this program knows up to 1: run the newer version",
    ],
    [
      "a step without its other fields",
      (records) => records.insertOne({ _id: "000099", number: 99 } as never),
      "the database has schema 99 (",
    ],
    [
      "a step of another history",
      (records) => records.updateOne({ _id: migrationRecordId(first) }, { $set: { name: "other", checksum: "other" } }),
      'migration 1 ran as "other" and is "first" in this program',
    ],
  ])("ends its writes after %s", async (_, mark, message) => {
    const database = await open({ migrations: [first], followsSchema: true });
    await mark(migrationRecordCollection(database));
    expect((await database.outdated).message).toContain(message);
    await expect(database.collection("plain").insertOne({ _id: "b" })).rejects.toThrow(SchemaError);
  });
});

describeMongo<TestCollections>("servers of two versions", testDeclarations, (open) => {
  test("the older one has ended its writes before the newer one changes a document", async () => {
    const older = await open({ name: "shared", migrations: [first], followsSchema: true });
    await older.collection("plain").insertOne({ _id: "a", value: 1 });
    const refused: boolean[] = [];
    const second: Migration<TestCollections> = {
      number: 2,
      name: "second",
      passes: [
        {
          collection: "plain",
          change: async () => {
            const write = older.collection("plain").insertOne({ _id: "late" });
            refused.push(
              await write.then(
                () => false,
                (error: unknown) => error instanceof NewerSchemaError,
              ),
            );
          },
        },
      ],
    };
    const newer = await open({ name: "shared", migrations: [first, second], settleMs: 4_000 });
    expect(refused).toEqual([true]);
    expect(await newer.collection("plain").find({})).toEqual([{ _id: "a", value: 1 }]);
  });
});
