import { expect, test } from "vitest";
import { describeEachEngine, describeMongo } from "../../test/database/each-engine.ts";
import { documentsAtOnce, migrationRecordCollection, SchemaError } from "./migrations.ts";
import type { Database, EndedMigration, Migration, MigrationPass } from "./port.ts";
import { type TestCollections, testDeclarations } from "../../test/database/test-documents.ts";

type Step = Migration<TestCollections>;
type Opened = Database<TestCollections>;

/** Adds 1 to each value, so that a document that is changed twice shows it. */
function counting(beforeBatch: (batch: number) => void = () => undefined): MigrationPass<TestCollections> {
  let batches = 0;
  return {
    collection: "plain",
    filter: { value: { $gte: 0 } },
    async change(tx, documents) {
      beforeBatch((batches += 1));
      await tx
        .collection("plain")
        .updateMany({ _id: { $in: documents.map(({ _id }) => _id) } }, { $inc: { value: 1 } });
    },
  };
}
const set = (value: number): MigrationPass<TestCollections> => ({
  collection: "plain",
  async change(tx, documents) {
    await tx.collection("plain").updateMany({ _id: { $in: documents.map(({ _id }) => _id) } }, { $set: { value } });
  },
});
const failsInBatch = (failing: number) =>
  counting((batch) => {
    if (batch === failing) throw new Error("half way");
  });

const first: Step = { number: 1, name: "set", passes: [set(1)] };
const second: Step = { number: 2, name: "double", passes: [set(2)] };
const count = (...passes: MigrationPass<TestCollections>[]): Step => ({ number: 2, name: "count", passes });

const many = 2 * documentsAtOnce + 50;
/** Every second one is a document that `counting` leaves out. */
async function fill(database: Opened, documents = many): Promise<void> {
  const ids = Array.from({ length: documents }, (_, index) => String(index).padStart(5, "0"));
  await database.collection("plain").insertMany(ids.flatMap((id) => [{ _id: `${id}a`, value: 0 }, { _id: `${id}b` }]));
}
async function values(database: Opened) {
  const groups = await database
    .collection("plain")
    .aggregate<{ _id: number | null; number: number }>([{ $group: { _id: "$value", number: { $sum: 1 } } }]);
  return Object.fromEntries(groups.map(({ _id, number }) => [String(_id), number]));
}
const recordOf = (database: Opened) => migrationRecordCollection(database).findOne({ _id: "000002" });

describeEachEngine<TestCollections>("migrations", testDeclarations, (open) => {
  async function before(name: string, documents = many) {
    const database = await open({ name, migrations: [first] });
    await fill(database, documents);
    await database.close();
  }
  /** A start of the program. @returns what it says */
  async function start(name: string, step: Step) {
    const database = await open({ name, migrations: [first, step], prepare: false });
    const ended: EndedMigration[] = [];
    const failure = await database
      .prepare((one) => ended.push(one))
      .then(
        () => null,
        (error: Error) => error,
      );
    return { database, ended, failure };
  }

  test("run once, in order, across restarts and new migrations", async () => {
    const stored = await open({ name: "restarts" });
    await stored.collection("plain").insertOne({ _id: "one" });
    await stored.close();
    const one = await open({ name: "restarts", migrations: [first] });
    expect(await one.collection("plain").find({})).toEqual([{ _id: "one", value: 1 }]);
    await one.close();
    const two = await open({ name: "restarts", migrations: [first, second] });
    expect(await two.collection("plain").find({})).toEqual([{ _id: "one", value: 2 }]);
    await two.collection("plain").updateMany({}, { $set: { value: 7 } });
    await two.prepare();
    expect(await two.collection("plain").find({})).toEqual([{ _id: "one", value: 7 }]);
    await two.close();
  });

  test("refuse a newer schema and a different history", async () => {
    const newer = await open({ name: "older", migrations: [first, second] });
    await newer.close();
    const older = await open({ name: "older", migrations: [first], prepare: false });
    await expect(older.prepare()).rejects.toThrow(/schema 2 \(double\).*run the newer version/);
    await older.close();
    const other = await open({ name: "older", migrations: [first, { ...second, name: "halve" }], prepare: false });
    await expect(other.prepare()).rejects.toThrow(SchemaError);
    await other.close();
  });

  test("refuse gaps in their numbers", async () => {
    const database = await open({ migrations: [first, { ...second, number: 3 }], prepare: false });
    await expect(database.prepare()).rejects.toThrow(/numbered without gaps/);
  });

  test("change nothing when the first batch fails, and stop the start", async () => {
    await before("failing");
    const broken = await start("failing", count(failsInBatch(1)));
    expect(broken.failure?.message).toMatch(/^migration 2 \(count\) failed and changed nothing: half way\./);
    expect(await values(broken.database)).toEqual({ 0: many, null: many });
    expect(await recordOf(broken.database)).toBeNull();
    await broken.database.close();
  });

  test("keep the batches before a stop, and go on after them: each document is changed once", async () => {
    await before("stopped");
    const stopped = await start("stopped", count(counting(), failsInBatch(2)));
    expect(stopped.failure?.message).toMatch(
      `migration 2 (count) failed after ${many + documentsAtOnce} documents: half way.`,
    );
    expect(stopped.ended).toEqual([]);
    expect(await values(stopped.database)).toEqual({ 1: many - documentsAtOnce, 2: documentsAtOnce, null: many });
    expect(await recordOf(stopped.database)).toMatchObject({
      progress: { pass: 1, documents: many + documentsAtOnce },
    });
    await stopped.database.close();

    const older = await open({ name: "stopped", migrations: [first], prepare: false });
    await expect(older.prepare()).rejects.toThrow(/run the newer version/);
    await older.close();

    const repaired = await start("stopped", count(counting(), counting()));
    expect(repaired.failure).toBeNull();
    expect(await values(repaired.database)).toEqual({ 2: many, null: many });
    expect(await recordOf(repaired.database)).not.toHaveProperty("progress");
    expect(repaired.ended).toEqual([
      { number: 2, name: "count", documents: 2 * many, ms: expect.any(Number) as number },
    ]);
    await repaired.database.close();

    const again = await start("stopped", count(counting(), counting()));
    expect(again.ended).toEqual([]);
    expect(await values(again.database)).toEqual({ 2: many, null: many });
    await again.database.close();
  });

  test("find the few that match among many", async () => {
    const database = await open({ name: "few", migrations: [first] });
    await fill(database, 1200);
    await database.collection("plain").updateMany({ value: 0 }, { $set: { value: -1 } });
    await database.collection("plain").updateMany({ _id: { $in: ["00001a", "01199a"] } }, { $set: { value: 5 } });
    await database.close();
    const { database: after, ended } = await start("few", count(counting()));
    expect(ended).toMatchObject([{ documents: 2 }]);
    expect(await values(after)).toEqual({ "-1": 1198, 6: 2, null: 1200 });
    await after.close();
  });

  test("take a record of an earlier version, without progress, as done", async () => {
    await before("recorded");
    const one = await start("recorded", count(counting()));
    const stored = await recordOf(one.database);
    const { _id, number, name, checksum, at } = stored ?? {};
    expect(stored).toEqual({ _id, number, name, checksum, at });
    expect(checksum).toBe("901011e9b3b3df75627c200c2b3696d17bca8f0a8810582ae91ccbd133bcfbeb");
    await one.database.close();
  });

  test("say nothing about a new database", async () => {
    const { database, ended } = await start("new", count(counting()));
    expect(ended).toEqual([]);
    expect(await migrationRecordCollection(database).countDocuments({})).toBe(2);
    await database.close();
  });
});

describeMongo<TestCollections>("migrations of servers that start at once", testDeclarations, (open) => {
  test("change each document once, and one server says so", async () => {
    const database = await open({ name: "together", migrations: [first] });
    await fill(database, 1000);
    const migrations = [first, count(counting())];
    const servers = await Promise.all([1, 2].map(() => open({ name: "together", migrations, prepare: false })));
    const ended: EndedMigration[] = [];
    await Promise.all(servers.map((one) => one.prepare((migration) => ended.push(migration))));
    expect(await values(database)).toEqual({ 1: 1000, null: 1000 });
    expect(ended).toMatchObject([{ number: 2, documents: 1000 }]);
  });
});
