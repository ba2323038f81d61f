import { afterEach, expect, test } from "vitest";
import pino from "pino";
import { fixedClock } from "#core/clock.ts";
import { newId } from "#core/ids.ts";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { declarations } from "../database/collections.ts";
import type { Collections } from "../database/documents.ts";
import { createLeases } from "./leases.ts";
import { enqueue, startOutbox, type Outbox, type OutboxHandler } from "./outbox.ts";
import { sweep } from "./sweep.ts";

const log = pino({ level: "silent" });
const start = "2026-06-01T08:00:00.000Z";

describeEachEngine<Collections>("jobs", declarations, (openDatabase, engine) => {
  const outboxes: Outbox[] = [];
  afterEach(async () => {
    for (const outbox of outboxes.splice(0)) await outbox.close();
  });

  async function setUp(handlers: Record<string, OutboxHandler>) {
    const db = await openDatabase();
    const clock = fixedClock(start);
    const outbox = (holder: string) => {
      const started = startOutbox({
        db,
        clock,
        leases: createLeases(db, holder),
        log,
        handlers,
        pollMs: 3_600_000,
      });
      outboxes.push(started);
      return started;
    };
    const add = (kind: string, payload = {}, dueAt?: string) =>
      db.transaction((tx) =>
        enqueue(tx, { companyId: null, kind, payload, at: clock.now(), ...(dueAt ? { dueAt } : {}) }),
      );
    const states = async () =>
      (await db.collection("outbox").find({}, { sort: { dueAt: 1 } })).map(({ state, attempts, lastError }) => [
        state,
        attempts,
        lastError,
      ]);
    return { db, clock, outbox, add, states };
  }

  test("an item is handled once, when it is due, and what was rolled back never", async () => {
    const done: unknown[] = [];
    const { db, clock, outbox, add, states } = await setUp({
      note: async ({ payload }) => void done.push(payload["n"]),
    });
    const running = outbox("a");
    await add("note", { n: 2 }, new Date(clock.millis() + 1000).toISOString());
    await add("note", { n: 1 });
    const failing = db.transaction(async (tx) => {
      await enqueue(tx, { companyId: null, kind: "note", payload: { n: 3 }, at: clock.now() });
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

  test("a failure is tried again after growing pauses, and after ten it waits for a person", async () => {
    let tries = 0;
    const { clock, outbox, add, states } = await setUp({
      note: async () => {
        tries++;
        throw new Error(`try ${tries}`);
      },
    });
    const running = outbox("a");
    await add("note");
    await running.drain();
    const pauses: number[] = [];
    for (let n = 2; n <= 10; n++) {
      let pause = 0;
      for (; tries < n; pause++) {
        clock.advance(1000);
        await running.drain();
      }
      pauses.push(pause);
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512]);
    expect(await states()).toEqual([["failed", 10, "try 10"]]);
    clock.advance(24 * 3_600_000);
    await running.drain();
    expect(tries).toBe(10);
  });

  test("one that fails holds up no other, and what nothing handles says so", async () => {
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

  test.skipIf(engine === "sqlite")("of two servers one handles the items at a time", async () => {
    const done: string[] = [];
    let inside = 0;
    const { outbox, add } = await setUp({
      note: async ({ _id }) => {
        expect(++inside).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        done.push(_id);
        inside--;
      },
    });
    for (let n = 0; n < 6; n++) await add("note", { n });
    const [one, two] = [outbox("a"), outbox("b")];
    await Promise.all([one.drain(), two.drain(), one.drain(), two.drain()]);
    expect(done.length).toBe(6);
    expect(new Set(done).size).toBe(6);
  });

  test("a sweep takes what has expired and leaves the rest", async () => {
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
        authenticatedAt: start,
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
      await db
        .collection("events")
        .insertOne({ _id: newId(), companyId: "c", seq, resources: [], sopId: null, at: at(-age) });
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
    await sweep(db, clock);
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
