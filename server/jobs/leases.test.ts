import { expect, test, vi } from "vitest";
import { describeEachEngine, describeMongo } from "../../test/database/each-engine.ts";
import { declarations, type Collections } from "../database/documents.ts";
import { createLeases } from "./leases.ts";

const minute = 60_000;
const month = 30 * 24 * 60 * minute;

describeEachEngine<Collections>("a lease left by a clock a month ahead", declarations, (openDatabase) => {
  test("keeps no server from the job", async () => {
    const db = await openDatabase();
    const until = new Date(Date.now() + month).toISOString();
    await db.collection("leases").insertOne({ _id: "mail", holder: "gone", fence: 3, ms: minute, until });
    await db.collection("leases").insertOne({ _id: "of an earlier version", holder: "gone", fence: 3, until });
    const leases = createLeases(db, "a");
    expect(await leases.acquire("mail", minute)).not.toBeNull();
    expect(await leases.acquire("of an earlier version", minute)).not.toBeNull();
  });
});

describeEachEngine<Collections>("leases of one server", declarations, (openDatabase, engine) => {
  test.skipIf(engine === "mongodb")("are always granted and never stored on the embedded engine", async () => {
    const db = await openDatabase();
    const leases = createLeases(db, "a");
    expect(await leases.acquire("mail", minute)).toBe(1);
    expect(await leases.hold("mail", minute, async (lost) => lost.aborted)).toBe(false);
    await leases.release("mail");
    expect(await db.collection("leases").find({})).toEqual([]);
  });
});

describeMongo<Collections>("leases of two servers", declarations, (openDatabase) => {
  const setUp = async () => {
    const db = await openDatabase();
    const stored = db.collection("leases");
    const runOut = () => stored.updateOne({ _id: "mail" }, { $set: { until: "2020-01-01T00:00:00.000Z" } });
    const take = () => stored.updateOne({ _id: "mail" }, { $set: { holder: "b" }, $inc: { fence: 1 } });
    const until = async () => (await stored.findOne({ _id: "mail" }))?.until ?? "";
    return { db, a: createLeases(db, "a"), b: createLeases(db, "b"), runOut, take, until };
  };

  test("have one holder at a time, and each new holder a higher fence", async () => {
    const { a, b, runOut } = await setUp();
    const both = await Promise.all([a.acquire("mail", minute), b.acquire("mail", minute)]);
    expect(both.toSorted()).toEqual([1, null]);
    const [winner, loser] = both[0] === null ? [b, a] : [a, b];
    expect(await winner.acquire("mail", minute)).toBe(1);
    expect(await loser.acquire("mail", minute)).toBeNull();
    await runOut();
    expect(await loser.acquire("mail", minute)).toBe(2);
    expect(await winner.acquire("mail", minute)).toBeNull();
    await winner.release("mail");
    expect(await winner.acquire("mail", minute)).toBeNull();
    await loser.release("mail");
    expect(await winner.acquire("mail", minute)).toBe(3);
    expect(await winner.acquire("other", minute)).toBe(1);
  });

  test("end by the database's clock, regardless of a server's clock", async () => {
    const { db, a, b, until } = await setUp();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + month });
    try {
      await a.acquire("mail", minute);
    } finally {
      vi.useRealTimers();
    }
    const left = Date.parse(await until()) - Date.parse(await db.now());
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(minute);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + month });
    try {
      expect(await b.acquire("mail", minute)).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  test("are renewed for as long as the work takes, and run out after it", async () => {
    const { a, b, until, runOut } = await setUp();
    // renewed every five seconds: a busy machine may be late by seven
    const ms = 20_000;
    const done = await a.hold("mail", ms, async (lost) => {
      for (let renewals = 0; renewals < 2; renewals++) {
        const before = await until();
        await expect.poll(until).toSatisfy((end: string) => end > before);
      }
      expect(await b.acquire("mail", ms)).toBeNull();
      return lost.aborted ? "lost" : "done";
    });
    expect(done).toBe("done");
    expect(await b.hold("mail", ms, async () => "too early")).toBeNull();
    await runOut();
    expect(await b.acquire("mail", ms)).toBe(2);
  });

  test("tell the work when another server took over", async () => {
    const { a, take } = await setUp();
    const told = a.hold("mail", 400, async (lost) => {
      const aborted = new Promise((resolve) => lost.addEventListener("abort", resolve, { once: true }));
      await take();
      await aborted;
      return "told";
    });
    expect(await told).toBe("told");
  });

  test("tell the work when the database no longer answers", async () => {
    const { db, a } = await setUp();
    const told = a.hold("mail", 400, async (lost) => {
      const aborted = new Promise((resolve) => lost.addEventListener("abort", resolve, { once: true }));
      await db.close();
      await aborted;
      return "told";
    });
    expect(await told).toBe("told");
  });
});
