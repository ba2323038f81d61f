import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { newId } from "#core/ids.ts";
import { describeMongo } from "../../../test/database/each-engine.ts";
import { isSecantusInstalled, startSecantus } from "../../../test/database/secantus.ts";
import { TransactionConflictError } from "../port.ts";
import { type TestCollections, testDeclarations } from "../../../test/database/test-documents.ts";
import { openMongo, StandaloneServerError } from "./open.ts";
import { mongoUri } from "../../../test/database/mongo-uri.ts";

describeMongo<TestCollections>("servers of one database", testDeclarations, (open) => {
  const two = async (name: string, sent: string[] = []) => {
    const one = await open({ name, onCommand: (command) => void sent.push(command) });
    return { one, other: await open({ name }) };
  };

  test("retry a transaction after conflicts more than five times, but not forever", async () => {
    const { one, other } = await two("conflict");
    await one.collection("plain").insertOne({ _id: "a", value: 0 });
    let attempts = 0;
    const conflicting = (until: number) =>
      one.transaction(async (transaction) => {
        attempts += 1;
        const plain = transaction.collection("plain");
        const before = await plain.findOne({ _id: "a" });
        if (attempts < until) await other.collection("plain").updateOne({ _id: "a" }, { $inc: { value: 100 } });
        await plain.updateOne({ _id: "a" }, { $set: { value: (before?.value ?? 0) + 1 } });
      });
    await conflicting(3);
    expect(attempts).toBe(3);
    expect(await other.collection("plain").findOne({ _id: "a" })).toMatchObject({ value: 201 });
    attempts = 0;
    await expect(conflicting(Infinity)).rejects.toThrow(TransactionConflictError);
    expect(attempts).toBeGreaterThan(5);
  });

  test("wait for another server's long transaction", async () => {
    const { one, other } = await two("long");
    await one.collection("plain").insertOne({ _id: "a", value: 0 });
    const [written, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const add = { $inc: { value: 1 } };
    const long = other.transaction(async (transaction) => {
      await transaction.collection("plain").updateOne({ _id: "a" }, add);
      written.resolve();
      await ended.promise;
    });
    await written.promise;
    const waiting = one.transaction((transaction) => transaction.collection("plain").updateOne({ _id: "a" }, add));
    await delay(4_000);
    ended.resolve();
    await Promise.all([long, waiting]);
    expect(await one.collection("plain").findOne({ _id: "a" })).toMatchObject({ value: 2 });
  });

  test("lose no transaction beside two servers that write without a pause", async () => {
    const { one, other } = await two("unfair");
    const servers = [one, other, await open({ name: "unfair" })];
    await one.collection("plain").insertOne({ _id: "a", value: 0 });
    let saved = 0;
    const save = (server: (typeof servers)[number]) =>
      server.transaction(async (transaction) => {
        const plain = transaction.collection("plain");
        await plain.updateOne({ _id: "a" }, { $inc: { value: 1 } });
        for (let n = 0; n < 9; n += 1) await plain.insertOne({ _id: newId(), value: n });
      });
    const until = Date.now() + 10_000;
    const write = async (server: (typeof servers)[number]) => {
      for (; Date.now() < until; saved += 1) await save(server);
    };
    await Promise.all(servers.map(write));
    expect(await one.collection("plain").findOne({ _id: "a" })).toMatchObject({ value: saved });
  });

  test("read all of a snapshot at one cluster time", async () => {
    const reads: { level?: string; atClusterTime?: unknown }[] = [];
    const db = await openMongo<TestCollections>(mongoUri() ?? "", testDeclarations, {
      dbName: `snapshot_${process.pid}`,
      commandMonitor: (name, command) => {
        if (["find", "aggregate"].includes(name)) reads.push({ ...(command["readConcern"] as object) });
      },
    });
    try {
      await db.snapshot(async (moment) => {
        await moment.collection("plain").find({ _id: { $gt: "" } }, { sort: { _id: 1 }, limit: 2 });
        await moment.collection("items").countDocuments({});
      });
      const [first, ...others] = reads;
      expect(first).toEqual({ level: "snapshot" });
      expect(others).toHaveLength(2);
      for (const other of others) expect(other).toMatchObject({ level: "snapshot", atClusterTime: expect.anything() });
      expect(others[0]).toEqual(others[1]);
    } finally {
      await db.close();
    }
  });

  test("hear of each other's commits", async () => {
    const { one, other } = await two("watch");
    const heard = new Promise<void>((resolve) => {
      let calls = 0;
      one.watch(["plain"], () => {
        calls += 1;
        // The first call says that the stream is open
        if (calls === 1) void other.collection("plain").insertOne({ _id: "a" });
        else resolve();
      });
    });
    await heard;
  });

  test("share one change stream among all watchers, and widen it for later ones", async () => {
    const sent: string[] = [];
    const { one, other } = await two("shared", sent);
    const heard: string[] = [];
    const hears = async (...names: string[]) =>
      vi.waitFor(() => expect(heard).toEqual(expect.arrayContaining(names)), { timeout: 20_000 });
    const watch = (by: string, names: (keyof TestCollections & string)[]) =>
      one.watch(names, (written) => heard.push(...[...written.keys()].map((name) => `${by}: ${name}`)));
    sent.length = 0;
    const stop = watch("first", ["plain"]);
    watch("second", ["plain", "items"]);
    await hears("first: plain", "second: plain", "second: items");
    expect(sent.filter((command) => command === "aggregate")).toHaveLength(1);
    heard.length = 0;
    watch("third", ["plain"]);
    await hears("third: plain");
    expect(sent.filter((command) => command === "aggregate")).toHaveLength(1);
    watch("fourth", ["blobs"]);
    await hears("fourth: blobs");
    heard.length = 0;
    await other.forCompany("c").collection("items").insertOne({ _id: "a" });
    await hears("second: items");
    stop();
    heard.length = 0;
    await other.collection("blobs").insertOne({ _id: "a", companyId: "c", type: "x", bytes: Buffer.from("b") });
    await other.collection("plain").insertOne({ _id: "a" });
    await hears("second: plain", "third: plain", "fourth: blobs");
    expect(heard).not.toContain("first: plain");
    expect(sent.filter((command) => command === "aggregate")).toHaveLength(2);
  });

  test("send one command for a read or a write, and the commit", async () => {
    const sent: string[] = [];
    const { one } = await two("commands", sent);
    sent.length = 0;
    await one.collection("plain").insertOne({ _id: "a" });
    await one.collection("plain").findOne({ _id: "a" });
    await one.forCompany("c").collection("items").find({});
    expect(sent).toEqual(["insert", "find", "find"]);
    sent.length = 0;
    await one.transaction(async (transaction) => {
      await transaction.collection("plain").updateOne({ _id: "a" }, { $set: { value: 1 } });
      await transaction.collection("plain").insertMany([{ _id: "b" }, { _id: "c" }]);
    });
    expect(sent).toEqual(["update", "insert", "commitTransaction"]);
  });
});

describe.skipIf(mongoUri() === null || !isSecantusInstalled())("a standalone MongoDB", () => {
  test("is refused with the reason and the fix", async () => {
    const server = await startSecantus(["--standalone"]);
    try {
      const opening = openMongo(server.uri, testDeclarations);
      await expect(opening).rejects.toThrow(StandaloneServerError);
      await expect(opening).rejects.toThrow("mongod --replSet rs0");
    } finally {
      await server.stop();
    }
  });
});
