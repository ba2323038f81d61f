import { afterEach, expect, test } from "vitest";
import pino from "pino";
import { fixedClock } from "#core/clock.ts";
import { newId } from "#core/ids.ts";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { declarations, type Collections } from "../database/documents.ts";
import { createLeases } from "./leases.ts";
import { createJobWatch } from "./overdue.ts";
import {
  enqueueOutboxItem,
  PermanentFailure,
  startOutbox,
  type Outbox,
  type OutboxHandler,
  type OutboxOptions,
} from "./outbox.ts";
import { removeExpiredRecords } from "../sweep.ts";

const log = pino({ level: "silent" });
const start = "2026-06-01T08:00:00.000Z";

describeEachEngine<Collections>("a job", declarations, (openDatabase, engine) => {
  const outboxes: Outbox[] = [];
  /** What handlers wait for. A test that failed must not keep an outbox from closing. */
  const gates: PromiseWithResolvers<void>[] = [];
  function newGate() {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return gate;
  }
  afterEach(async () => {
    for (const gate of gates.splice(0)) gate.resolve();
    for (const outbox of outboxes.splice(0)) await outbox.close();
  });

  async function setUp(handlers: Record<string, OutboxHandler>, options: Partial<OutboxOptions> = {}) {
    const db = await openDatabase();
    const clock = fixedClock(start);
    const outbox = (holder: string) => {
      const started = startOutbox({
        db,
        clock,
        leases: createLeases(db, holder),
        jobs: createJobWatch(log),
        log,
        handlers,
        pollMs: 3_600_000,
        ...options,
      });
      outboxes.push(started);
      return started;
    };
    const add = (kind: string, payload = {}, dueAt?: string, companyId: string | null = null) =>
      db.transaction((tx) =>
        enqueueOutboxItem(tx, { companyId, kind, payload, at: clock.now(), ...(dueAt ? { dueAt } : {}) }),
      );
    const states = async () =>
      (await db.collection("outbox").find({}, { sort: { dueAt: 1 } })).map(({ state, attempts, lastError }) => [
        state,
        attempts,
        lastError,
      ]);
    return { db, clock, outbox, add, states };
  }

  test("handles an item once when it is due, and never one that was rolled back", async () => {
    const done: unknown[] = [];
    const { db, clock, outbox, add, states } = await setUp({
      note: async ({ payload }) => void done.push(payload["n"]),
    });
    const running = outbox("a");
    await add("note", { n: 2 }, new Date(clock.millis() + 1000).toISOString());
    await add("note", { n: 1 });
    const failing = db.transaction(async (tx) => {
      await enqueueOutboxItem(tx, { companyId: null, kind: "note", payload: { n: 3 }, at: clock.now() });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await running.drain();
    expect(done).toEqual([1]);
    clock.advance(1000);
    await running.drain();
    await running.drain();
    expect(done).toEqual([1, 2]);
    expect(await states()).toEqual([
      ["done", 1, null],
      ["done", 1, null],
    ]);
  });

  test("retries a failure after growing pauses, and keeps it as failed after thirty tries", async () => {
    let tries = 0;
    const { db, clock, outbox, add, states } = await setUp({
      note: async () => {
        tries++;
        throw new Error(`try ${tries}`);
      },
    });
    const running = outbox("a");
    await add("note");
    const pauses: number[] = [];
    for (let n = 1; n <= 30; n++) {
      await running.drain();
      await running.drain();
      expect(tries).toBe(n);
      const [item] = await db.collection("outbox").find({});
      pauses.push((Date.parse(item?.dueAt ?? "") - clock.millis()) / 1000);
      clock.advance((pauses.at(-1) ?? 0) * 1000);
    }
    expect(pauses.slice(0, 13)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]);
    expect(await states()).toEqual([["failed", 30, "try 30"]]);
    clock.advance(24 * 3_600_000);
    await running.drain();
    expect(tries).toBe(30);
  });

  test("doesn't retry a permanent refusal", async () => {
    let tries = 0;
    const { clock, outbox, add, states } = await setUp({
      note: async () => {
        tries++;
        throw new PermanentFailure("no such user");
      },
    });
    const running = outbox("a");
    await add("note");
    await running.drain();
    clock.advance(24 * 3_600_000);
    await running.drain();
    expect([tries, await states()]).toEqual([1, [["failed", 1, "no such user"]]]);
  });

  test("handles several at once, within the limits for all and for one company", async () => {
    const gate = newGate();
    const started: string[] = [];
    const { outbox, add } = await setUp(
      {
        note: async ({ companyId }) => {
          started.push(companyId ?? "");
          await gate.promise;
        },
      },
      { atOnce: { all: 4, ofCompany: 2 } },
    );
    const running = outbox("a");
    for (let n = 0; n < 30; n++) await add("note", { n }, undefined, "many");
    await add("note", {}, undefined, "few");
    await add("note", {}, undefined, "fewer");
    const drained = running.drain();
    await expect.poll(() => started.length).toBe(4);
    expect(started.toSorted()).toEqual(["few", "fewer", "many", "many"]);
    gate.resolve();
    await drained;
    expect(started.length).toBe(32);
  });

  test("doesn't delay a new item while another is slow", async () => {
    const gate = newGate();
    const { outbox, add, states } = await setUp({
      slow: () => gate.promise,
      quick: async () => undefined,
    });
    const running = outbox("a");
    await add("slow", {}, undefined, "one");
    const drained = running.drain();
    await add("quick", {}, undefined, "two");
    await expect.poll(async () => (await states()).map(([state]) => state).sort()).toEqual(["done", "pending"]);
    gate.resolve();
    await drained;
  });

  test("stops a slow item with the server, and leaves it for the next start", async () => {
    const began = Promise.withResolvers<void>();
    const note: OutboxHandler = (_, signal) =>
      new Promise((_resolve, reject) => {
        began.resolve();
        signal.addEventListener("abort", () => reject(new Error("stopped")));
      });
    const { outbox, add, states } = await setUp({ note }, { graceMs: 0 });
    const running = outbox("a");
    await add("note");
    void running.drain();
    await began.promise;
    await running.close();
    expect(await states()).toEqual([["pending", 0, null]]);
  });

  test("delays no other job when it fails, and reports items without a handler", async () => {
    const done: unknown[] = [];
    const { outbox, add, states } = await setUp({
      good: async ({ payload }) => void done.push(payload["n"]),
      bad: async () => {
        throw new Error("bad");
      },
    });
    const running = outbox("a");
    for (const [n, kind] of ["bad", "good", "unheard of", "good"].entries()) await add(kind, { n });
    await running.drain();
    expect(done.sort()).toEqual([1, 3]);
    expect((await states()).map(([state, , error]) => [state, error])).toEqual(
      expect.arrayContaining([
        ["pending", "bad"],
        ["pending", "nothing handles unheard of"],
      ]),
    );
  });

  test.skipIf(engine === "sqlite")("runs on one of two servers at a time", async () => {
    const done: string[] = [];
    let inside = 0;
    const { outbox, add } = await setUp(
      {
        note: async ({ _id }) => {
          expect(++inside).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          done.push(_id);
          inside--;
        },
      },
      { atOnce: { all: 1, ofCompany: 1 } },
    );
    for (let n = 0; n < 6; n++) await add("note", { n });
    const [one, two] = [outbox("a"), outbox("b")];
    await Promise.all([one.drain(), two.drain(), one.drain(), two.drain()]);
    expect(done.length).toBe(6);
    expect(new Set(done).size).toBe(6);
  });

  test.skipIf(engine === "sqlite")("keeps its lease renewed on a slow item while another server waits", async () => {
    const gate = newGate();
    let handled = 0;
    const { db, outbox, add } = await setUp(
      {
        note: async () => {
          handled++;
          await gate.promise;
        },
      },
      // renewed every five seconds: a busy machine may be late by seven
      { leaseMs: 20_000 },
    );
    await add("note");
    const drained = outbox("a").drain();
    await expect.poll(() => handled).toBe(1);
    const lease = () => db.collection("leases").findOne({ _id: "outbox" });
    const first = await lease();
    await expect.poll(async () => (await lease())?.until ?? "").toSatisfy((until) => until > (first?.until ?? ""));
    expect(await lease()).toMatchObject({ holder: "a", fence: 1 });
    expect(await outbox("b").drain()).toBe(0);
    gate.resolve();
    expect([await drained, handled]).toEqual([1, 1]);
  });

  test("makes items due in a sweep that a clock far ahead had put off", async () => {
    const { db, clock, add, states } = await setUp({});
    const later = (ms: number) => new Date(clock.millis() + ms).toISOString();
    await add("email", {}, later(30 * 24 * 3_600_000));
    await add("email", {}, later(3_600_000));
    await removeExpiredRecords(db, { kind: "database" }, clock);
    expect(await states()).toHaveLength(2);
    const due = (await db.collection("outbox").find({}, { sort: { dueAt: 1 } })).map(({ dueAt }) => dueAt);
    expect(due).toEqual([clock.now(), later(3_600_000)]);
  });

  test("removes expired items in a sweep and leaves the rest", async () => {
    const db = await openDatabase();
    const clock = fixedClock(start);
    const at = (ms: number) => new Date(clock.millis() + ms).toISOString();
    const day = 24 * 3_600_000;
    for (const [name, expiresAt] of [
      ["old", at(0)],
      ["new", at(1)],
    ] as const) {
      await db.collection("sessions").insertOne({
        _id: name,
        userId: "u",
        companyId: "c",
        sessionVersion: 1,
        createdAt: start,
        proofs: [{ method: "password", at: start }],
        lastSeenAt: start,
        expiresAt,
        userAgent: null,
      });
      await db.collection("idempotency").insertOne({
        _id: name,
        userId: "u",
        bodyHash: "h",
        state: "done",
        entityId: null,
        status: 201,
        body: "{}",
        expiresAt,
      });
      await db.collection("limiters").insertOne({ _id: name, points: 1, expiresAt });
    }
    for (const [seq, age] of [
      [1, day],
      [2, day - 1],
    ] as const) {
      await db.collection("events").insertOne({ _id: newId(), companyId: "c", seq, resources: [], at: at(-age) });
    }
    for (const [state, age] of [
      ["done", 7 * day],
      ["done", 7 * day - 1],
      ["failed", 30 * day],
      ["pending", 30 * day],
    ] as const) {
      await db.collection("outbox").insertOne({
        _id: newId(),
        companyId: null,
        kind: "k",
        payload: {},
        state,
        attempts: 1,
        dueAt: at(-age),
        lastError: null,
        createdAt: start,
      });
    }
    await removeExpiredRecords(db, { kind: "database" }, clock);
    for (const name of ["sessions", "idempotency", "limiters"] as const) {
      expect((await db.collection(name).find({})).map(({ _id }) => _id)).toEqual(["new"]);
    }
    expect((await db.collection("events").find({})).map(({ seq }) => seq)).toEqual([2]);
    expect((await db.collection("outbox").find({})).map(({ state }) => state).sort()).toEqual([
      "done",
      "failed",
      "pending",
    ]);
  });
});
