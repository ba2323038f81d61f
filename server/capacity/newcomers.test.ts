/** Strangers found companies for nothing. Their work keeps no place from established companies, whatever their number. */
import { describe, expect, test } from "vitest";
import { crowdedPace, leastPace, resources, type SharedResource } from "./resources.ts";
import { createFairQueue } from "./fair-queue.ts";
import { createPaceFor } from "../http/paced.ts";

/** Slow work of new companies: each has a network of its own, and never gives a place back. */
const newcomer = (n: number) => ({ companyId: `new ${n}`, userId: `eve ${n}`, network: `net ${n}`, isNew: true });
const established = (companyId: string, user = 0) => ({
  companyId,
  userId: `${companyId} ${user}`,
  network: `net of ${companyId}`,
});
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The work that strangers can send. The rest is the server's own work, or hashes passwords of networks. */
const waits = Object.entries<SharedResource>(resources).filter(
  ([name, { waitMs, className }]) => waitMs > 0 && className !== "background" && name !== "passwords",
);

describe.each(waits)("%s", (_, bounds) => {
  const { atOnce, companyAtOnce, userAtOnce } = bounds;

  test("keeps the share of an established company beside any number of slow new companies", async () => {
    for (const networks of [0, 1, 2, 3, 6, 12, 50]) {
      const queue = createFairQueue(bounds);
      const held = { newcomers: 0, old: 0 };
      for (let n = 0; n < networks; n += 1) {
        for (let task = 0; task < 3; task += 1)
          queue.enter(newcomer(n)).then(
            () => (held.newcomers += 1),
            () => undefined,
          );
      }
      for (let n = 0; n < companyAtOnce; n += 1) void queue.enter(established("old", n)).then(() => (held.old += 1));
      await settled();
      const ofNewcomers = Math.min(companyAtOnce, networks * Math.min(3, userAtOnce));
      expect([networks, held]).toEqual([networks, { newcomers: ofNewcomers, old: companyAtOnce }]);
      queue.close();
    }
  });

  test("keeps every place but the newcomers' share for established companies", async () => {
    const queue = createFairQueue(bounds);
    for (let n = 0; n < 50; n += 1) queue.enter(newcomer(n)).catch(() => undefined);
    let held = 0;
    for (let n = 0; n < atOnce; n += 1)
      queue.enter(established(`old ${n}`)).then(
        () => (held += 1),
        () => undefined,
      );
    await settled();
    expect(held).toBe(atOnce - companyAtOnce);
    queue.close();
  });

  test("gives each new company its turn", async () => {
    const queue = createFairQueue(bounds);
    const turns: number[] = [];
    // where a company's own work doesn't wait, more companies have one task each
    const [rounds, count] = bounds.userWaiting === 0 ? [1, companyAtOnce + 4] : [3, 6];
    const all = Array.from({ length: count }, (_, n) => n);
    for (let round = 0; round < rounds; round += 1) {
      for (const n of all) void queue.run(async () => void turns.push(n), newcomer(n));
    }
    while (turns.length < rounds * all.length) await settled();
    for (let round = 0; round < rounds; round += 1) {
      const ofRound = turns.slice(round * all.length, (round + 1) * all.length);
      expect(ofRound.toSorted((one, other) => one - other)).toEqual(all);
    }
    expect(queue.load()).toEqual({ running: 0, waiting: 0 });
  });

  test("asks the new companies for a faster pace, and no established one, while more of them wait", async () => {
    const queue = createFairQueue(bounds);
    const old = await queue.enter(established("old"));
    const first = await queue.enter(newcomer(0));
    expect([old, first].map((place) => createPaceFor(place)())).toEqual([leastPace, leastPace]);
    for (let n = 1; n <= companyAtOnce; n += 1) queue.enter(newcomer(n)).catch(() => undefined);
    expect(queue.load()).toEqual({ running: companyAtOnce + 1, waiting: 1 });
    expect([old, first].map((place) => createPaceFor(place)())).toEqual([leastPace, crowdedPace]);
    first();
    expect(queue.load()).toEqual({ running: companyAtOnce + 1, waiting: 0 });
    queue.close();
  });
});

test("an established company keeps its share beside a new one of its own network", async () => {
  const { companyAtOnce } = resources.imports;
  const queue = createFairQueue(resources.imports);
  for (let n = 0; n < 6; n += 1) queue.enter({ ...newcomer(n), network: "net of old" }).catch(() => undefined);
  const held = Array.from({ length: companyAtOnce }, (_, n) => queue.enter(established("old", n)));
  await Promise.all(held);
  expect(queue.load()).toEqual({ running: companyAtOnce + resources.imports.userAtOnce, waiting: 5 });
  queue.close();
});

test("a new company waits with its first AI call, and its own further ones are refused as any company's", async () => {
  const { companyAtOnce, userAtOnce } = resources.ai;
  const queue = createFairQueue(resources.ai);
  const strangers = await Promise.all(Array.from({ length: companyAtOnce }, (_, n) => queue.enter(newcomer(n))));
  const first = queue.enter(newcomer(companyAtOnce));
  expect(queue.load()).toEqual({ running: companyAtOnce, waiting: 1 });
  await expect(queue.enter(newcomer(companyAtOnce))).rejects.toMatchObject({ code: "rate_limited" });
  strangers[0]?.();
  await first;
  const old = await Promise.all(Array.from({ length: userAtOnce }, () => queue.enter(established("old"))));
  await expect(queue.enter(established("old"))).rejects.toMatchObject({ code: "rate_limited" });
  for (const leave of old) leave();
  const own = await Promise.all(Array.from({ length: userAtOnce }, () => queue.enter(established("old"))));
  expect(own).toHaveLength(userAtOnce);
  queue.close();
});
