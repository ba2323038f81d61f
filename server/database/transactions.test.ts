import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { type Database, DuplicateKeyError, type Transaction } from "./port.ts";
import { type TestCollections, testDeclarations } from "../../test/database/test-documents.ts";
import { TransactionMisuseError } from "./transaction-guard.ts";

describeEachEngine<TestCollections>("a transaction", testDeclarations, (open) => {
  let shared: Promise<Database<TestCollections>> | undefined;
  let companies = 0;
  const fresh = async () => {
    const database = await (shared ??= open());
    companies += 1;
    const companyId = `c${companies}`;
    const items = database.forCompany(companyId).collection("items");
    const within = (transaction: Transaction<TestCollections>) => transaction.forCompany(companyId).collection("items");
    return { database, items, within, id: (name: string) => `${companyId}/${name}` };
  };

  test("commits everything and returns the result of its work", async () => {
    const { database, items, within, id } = await fresh();
    const result = await database.transaction(async (transaction) => {
      await within(transaction).insertOne({ _id: id("a"), count: 1 });
      await transaction.collection("plain").insertOne({ _id: id("p"), value: 2 });
      await within(transaction).updateOne({ _id: id("a") }, { $inc: { count: 1 } });
      return (await within(transaction).findOne({ _id: id("a") }))?.count;
    });
    expect(result).toBe(2);
    expect(await items.findOne({ _id: id("a") })).toMatchObject({ count: 2 });
    expect(await database.collection("plain").findOne({ _id: id("p") })).toMatchObject({ value: 2 });
  });

  test("undoes everything on an error, also cached reads", async () => {
    const { database, items, within, id } = await fresh();
    await items.insertOne({ _id: id("a"), count: 1, words: ["one"] });
    expect(await items.findOne({ _id: id("a") })).toMatchObject({ count: 1 });
    const failing = database.transaction(async (transaction) => {
      await within(transaction).updateOne({ _id: id("a") }, { $set: { count: 9, words: ["two"], tags: ["new"] } });
      await within(transaction).insertOne({ _id: id("b"), number: 1 });
      throw new Error("the rule says no");
    });
    await expect(failing).rejects.toThrow("the rule says no");
    expect(await items.find({})).toEqual([expect.objectContaining({ _id: id("a"), count: 1, words: ["one"] })]);
    expect(await items.countDocuments({ words: "two" })).toBe(0);
    expect(await items.countDocuments({ words: "one" })).toBe(1);
    expect(await items.countDocuments({ tags: "new" })).toBe(0);
    await items.insertOne({ _id: id("c"), number: 1 });
  });

  test("sees its own writes; others see them only after the commit", async () => {
    const { database, items, within, id } = await fresh();
    await items.insertOne({ _id: id("a"), count: 1 });
    await database.transaction(async (transaction) => {
      await within(transaction).updateOne({ _id: id("a") }, { $set: { count: 2 } });
      await within(transaction).insertOne({ _id: id("b"), count: 2 });
      expect(await within(transaction).countDocuments({ count: 2 })).toBe(2);
      expect(await within(transaction).findOne({ _id: id("a") })).toMatchObject({ count: 2 });
      expect(await items.countDocuments({ count: 2 })).toBe(0);
      expect(await items.findOne({ _id: id("a") })).toMatchObject({ count: 1 });
    });
    expect(await items.countDocuments({ count: 2 })).toBe(2);
  });

  test("loses no update in concurrent read-modify-write", async () => {
    const { database, items, within, id } = await fresh();
    await items.insertOne({ _id: id("a"), count: 0 });
    const add = () =>
      database.transaction(async (transaction) => {
        const { count = 0 } = (await within(transaction).findOne({ _id: id("a") })) ?? {};
        await within(transaction).updateOne({ _id: id("a") }, { $set: { count: count + 1 } });
      });
    const results = await Promise.allSettled([add(), add(), add()]);
    const done = results.filter(({ status }) => status === "fulfilled").length;
    expect(done).toBeGreaterThan(0);
    expect(await items.findOne({ _id: id("a") })).toMatchObject({ count: done });
  });

  test("fails on a duplicate key, even if its work catches the error", async () => {
    const { database, items, within, id } = await fresh();
    await items.insertOne({ _id: id("a"), number: 1 });
    const swallowing = database.transaction(async (transaction) => {
      await within(transaction).insertOne({ _id: id("b") });
      await within(transaction)
        .insertOne({ _id: id("c"), number: 1 })
        .catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow(DuplicateKeyError);
    await expect(swallowing).rejects.toMatchObject({ index: "number" });
    expect(await items.countDocuments({})).toBe(1);
    const goingOn = database.transaction(async (transaction) => {
      await within(transaction)
        .insertOne({ _id: id("a") })
        .catch(() => undefined);
      await within(transaction).insertOne({ _id: id("d") });
    });
    await expect(goingOn).rejects.toMatchObject({ index: "_id_" });
    expect(await items.countDocuments({})).toBe(1);
  });

  test("gets a unique key that only one of two can take", async () => {
    const { database, items, within, id } = await fresh();
    const take = (name: string) =>
      database.transaction(async (transaction) => {
        await within(transaction).insertOne({ _id: id(name), name: "n", status: "pending" });
      });
    const results = await Promise.allSettled([take("a"), take("b"), take("c")]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await items.countDocuments({ status: "pending" })).toBe(1);
  });

  test("has a handle that is unusable afterwards, and refuses writes through the outer one", async () => {
    const { database, items, within, id } = await fresh();
    let escaped: ReturnType<typeof within> | undefined;
    await database.transaction(async (transaction) => {
      escaped = within(transaction);
    });
    await expect(escaped?.insertOne({ _id: id("late") })).rejects.toThrow(TransactionMisuseError);
    const outer = database.transaction(async () => items.insertOne({ _id: id("outer") }));
    await expect(outer).rejects.toThrow(TransactionMisuseError);
    const nested = database.transaction(async () => database.transaction(async () => 1));
    await expect(nested).rejects.toThrow(TransactionMisuseError);
    const forgotten = database.transaction(async (transaction) => {
      void within(transaction)
        .insertOne({ _id: id("forgotten") })
        .catch(() => undefined);
    });
    await forgotten.catch(() => undefined);
    expect(await items.countDocuments({ _id: { $in: [id("late"), id("outer")] } })).toBe(0);
    await items.insertOne({ _id: id("after") });
  });

  test("notifies watchers of commits to their collections, not of rollbacks", async () => {
    const { database, items, within, id } = await fresh();
    const heard: string[] = [];
    const stop = database.watch(["items"], (written) => heard.push(...written.keys()));
    const eventually = async (reached: () => boolean) => {
      for (let waited = 0; !reached() && waited < 10_000; waited += 10) await delay(10);
      expect(reached()).toBe(true);
    };
    if (database.engine === "mongodb") await eventually(() => heard.length > 0);
    heard.length = 0;
    await items.insertOne({ _id: id("a") });
    await eventually(() => heard.includes("items"));
    heard.length = 0;
    await database.collection("plain").insertOne({ _id: id("p") });
    await database
      .transaction(async (transaction) => {
        await within(transaction).insertOne({ _id: id("b") });
        await Promise.reject(new Error("no"));
      })
      .catch(() => undefined);
    await delay(100);
    expect(heard).toEqual([]);
    await database.transaction(async (transaction) => within(transaction).insertOne({ _id: id("c") }));
    await eventually(() => heard.includes("items"));
    stop();
    heard.length = 0;
    await items.insertOne({ _id: id("d") });
    await delay(100);
    expect(heard).toEqual([]);
  });

  test("names the written documents, and the companies of the added ones", async () => {
    const { database, items, within, id } = await fresh();
    const ids = new Set<string>();
    const companies = new Set<string>();
    const stop = database.watch(["items"], (written) => {
      for (const one of written.get("items")?.ids ?? ["any"]) ids.add(one);
      for (const one of written.get("items")?.companies ?? []) companies.add(one);
    });
    // the first notice says that the stream is open
    if (database.engine === "mongodb") await vi.waitFor(() => expect(ids).toContain("any"), { timeout: 10_000 });
    ids.clear();
    await database.transaction(async (transaction) => {
      await within(transaction).insertOne({ _id: id("a") });
      await within(transaction).insertOne({ _id: id("b") });
    });
    await vi.waitFor(() => expect([...ids].toSorted()).toEqual([id("a"), id("b")]), { timeout: 10_000 });
    expect([...companies]).toEqual([id("").slice(0, -1)]);
    companies.clear();
    ids.clear();
    await items.updateOne({ _id: id("a") }, { $set: { count: 2 } });
    await items.deleteOne({ _id: id("b") });
    await vi.waitFor(() => expect([...ids].toSorted()).toEqual([id("a"), id("b")]), { timeout: 10_000 });
    expect([...companies]).toEqual([]);
    stop();
  });
});
