import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { mongoUri } from "../../../test/database/mongo-uri.ts";
import { startProxy, type Proxy } from "../../../test/database/proxy.ts";
import { type Database, DatabaseUnavailableError } from "../port.ts";
import { type TestCollections, testDeclarations } from "../../../test/database/test-documents.ts";
import { openMongo } from "./open.ts";

const uri = mongoUri();
const patience = { timeout: 30_000 };

describe.skipIf(uri === null)("a MongoDB that can't be reached", patience, () => {
  let proxy: Proxy;
  let db: Database<TestCollections>;
  let direct: Database<TestCollections>;
  let reports: boolean[];

  beforeEach(async () => {
    proxy = await startProxy(uri ?? "");
    const dbName = `outage_${process.pid}_${Math.random().toString(36).slice(2)}`;
    reports = [];
    direct = await openMongo(uri ?? "", testDeclarations, { dbName });
    db = await openMongo(proxy.uri, testDeclarations, { dbName, report: (answers) => void reports.push(answers) });
    await db.prepare();
    await db.collection("plain").insertOne({ _id: "a", value: 0 });
  });
  afterEach(async () => {
    await proxy.restore();
    await direct.collection("plain").deleteMany({});
    await Promise.all([db.close(), direct.close()]);
    await proxy.stop();
  });

  const value = async () => (await direct.collection("plain").findOne({ _id: "a" }))?.value;
  const add = (to: Database<TestCollections>, between: () => Promise<void> = async () => undefined) =>
    to.transaction(async (transaction) => {
      await transaction.collection("plain").updateOne({ _id: "a" }, { $inc: { value: 1 } });
      await between();
      await transaction.collection("plain").findOne({ _id: "a" });
    });
  const works = () => vi.waitFor(() => db.collection("plain").findOne({ _id: "a" }), { timeout: 20_000 });

  test.each([
    ["is cut off", () => proxy.cut()],
    ["stays silent", async () => proxy.silence()],
  ])("fails every operation when it %s, and serves again once it is back", async (_, lose) => {
    await lose();
    const read = db.collection("plain").findOne({ _id: "a" });
    const write = db.collection("plain").insertOne({ _id: "b" });
    const transaction = add(db);
    for (const outcome of await Promise.allSettled([read, write, transaction]))
      expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(DatabaseUnavailableError) as unknown });
    await vi.waitFor(() => expect(reports).toEqual([false]), 20_000);
    await expect(db.ping()).rejects.toThrow(DatabaseUnavailableError);
    await expect(db.now()).rejects.toThrow(DatabaseUnavailableError);
    await proxy.restore();
    await works();
    expect(reports).toEqual([false, true]);
    await add(db);
  });

  test("opens new connections when the old ones stay dead", async () => {
    proxy.silence();
    await expect(db.collection("plain").findOne({ _id: "a" })).rejects.toThrow(DatabaseUnavailableError);
    await proxy.restore("fresh");
    await works();
  });

  test("survives a connection that breaks once", async () => {
    let runs = 0;
    await add(db, async () => {
      runs += 1;
      if (runs > 1) return;
      await proxy.cut();
      await proxy.restore();
    });
    expect(runs).toBe(2);
    expect(await value()).toBe(1);
    expect(reports).toEqual([]);
  });

  test.each([
    ["is cut off", () => proxy.cut()],
    ["stays silent", async () => proxy.silence()],
  ])("leaves no transaction open when it %s in the middle of one", async (_, lose) => {
    await expect(add(db, lose)).rejects.toThrow(DatabaseUnavailableError);
    await proxy.restore();
    await works();
    await vi.waitFor(() => add(direct), { timeout: 20_000 });
    expect(await value()).toBe(1);
  });

  test("commits once when the answer to a commit is lost", async () => {
    const committing = db.transaction(async (transaction) => {
      await transaction.collection("plain").updateOne({ _id: "a" }, { $inc: { value: 1 } });
      proxy.dropAnswers();
    });
    await vi.waitFor(async () => expect(await value()).toBe(1), { timeout: 20_000 });
    await expect(committing).rejects.toThrow(DatabaseUnavailableError);
    await proxy.restore();
    await works();
    expect(await value()).toBe(1);
    await add(db);
    expect(await value()).toBe(2);
  });
});
