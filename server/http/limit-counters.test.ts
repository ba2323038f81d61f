import { expect, test } from "vitest";
import { fixedClock } from "#core/clock.ts";
import { describeEachEngine } from "../../test/database/each-engine.ts";
import { declarations, type Collections } from "../database/documents.ts";
import { createDatabaseCounters } from "./limit-counters.ts";

const start = "2026-06-01T08:00:00.000Z";
const month = 30 * 24 * 3_600_000;

describeEachEngine<Collections>("counters", declarations, (openDatabase) => {
  test("start over once a clock that was a month ahead is right", async () => {
    const clock = fixedClock(start);
    const counters = createDatabaseCounters(await openDatabase(), clock);
    clock.advance(month);
    await counters.add("a", 900);
    expect(await counters.add("a", 900)).toMatchObject({ points: 2 });
    clock.advance(-month);
    expect(await counters.read("a", 900)).toBeNull();
    expect(await counters.add("a", 900)).toMatchObject({ points: 1 });
    expect(await counters.read("a", 900)).toMatchObject({ points: 1 });
  });

  test("a damaged counter starts over", async () => {
    const db = await openDatabase();
    const counters = createDatabaseCounters(db, fixedClock(start));
    await counters.add("a", 900);
    await db.collection("limiters").updateOne({ _id: "a" }, { $unset: { points: "" } as never });
    expect(await counters.read("a", 900)).toBeNull();
    expect(await counters.add("a", 900)).toMatchObject({ points: 1 });
    expect(await counters.add("a", 900)).toMatchObject({ points: 2 });
    await counters.subtract("a");
    expect(await counters.read("a", 900)).toMatchObject({ points: 1 });
    await counters.clear("a");
    expect(await counters.read("a", 900)).toBeNull();
  });
});
