import { describe, expect, it } from "vitest";
import { withCaller } from "./caller.ts";
import { createFairQueue, type QueueLimits } from "./fair-queue.ts";

const bounds: QueueLimits = { atOnce: 1, companyAtOnce: 1, companyWaiting: 10, userWaiting: 5, waitMs: 60_000 };
const ann = { companyId: "north", userId: "ann" };
const ben = { companyId: "north", userId: "ben" };
const eve = { companyId: "south", userId: "eve" };

/** Queues one task for each caller while the first holds the only place; returns the order in which they ran. */
async function orderOf(askers: readonly (typeof ann)[], given: Partial<QueueLimits> = {}): Promise<string[]> {
  const queue = createFairQueue({ ...bounds, ...given });
  const release = await queue.enter(askers[0]);
  const order: string[] = [];
  const tasks = askers.slice(1).map((caller) => queue.run(async () => void order.push(caller.userId), caller));
  release();
  await Promise.all(tasks);
  return order;
}

describe("fair queue", () => {
  it("takes turns between companies", async () => {
    expect(await orderOf([ann, ann, ann, ann, eve])).toEqual(["eve", "ann", "ann", "ann"]);
  });

  it("takes turns between the users of a company", async () => {
    expect(await orderOf([ann, ann, ann, ann, ben])).toEqual(["ben", "ann", "ann", "ann"]);
  });

  it("keeps a place free for other companies", async () => {
    const queue = createFairQueue({ ...bounds, atOnce: 2 });
    await queue.enter(ann);
    const second = queue.enter(ben);
    expect(queue.load()).toEqual({ running: 1, waiting: 1 });
    const release = await queue.enter(eve);
    expect(queue.load()).toEqual({ running: 2, waiting: 1 });
    release();
    expect(queue.load()).toEqual({ running: 1, waiting: 1 });
    queue.close();
    await expect(second).rejects.toMatchObject({ code: "busy" });
  });

  it("wants a place back for work of another company that lacks nothing else", async () => {
    const queue = createFairQueue({ ...bounds, atOnce: 2 });
    const north = await queue.enter(ann);
    queue.enter(ben).catch(() => undefined);
    const south = await queue.enter(eve);
    expect([north.isWanted(), south.isWanted()]).toEqual([false, false]);
    queue.enter({ companyId: "west", userId: "joe" }).catch(() => undefined);
    expect([north.isWanted(), south.isWanted()]).toEqual([true, true]);
    north();
    // joe has the place, and the work of ben lacks only another
    expect([north.isWanted(), south.isWanted()]).toEqual([false, true]);
    expect(queue.load()).toEqual({ running: 2, waiting: 1 });
    queue.close();
  });

  describe("of places that strangers can hold", () => {
    const open = { ...bounds, atOnce: 4, companyAtOnce: 2, userAtOnce: 2, byNetwork: true };
    const from = (network: string, companyId: string, isNew = false) => ({
      companyId,
      userId: companyId,
      network,
      isNew,
    });

    it("counts new companies as one, and their networks as its users", async () => {
      const queue = createFairQueue({ ...open, userAtOnce: 1 });
      for (const [n, network] of ["a", "b"].entries()) await queue.enter(from(network, `new-${n}`, true));
      for (const network of ["a", "b", "c"]) queue.enter(from(network, `new-${network}`, true)).catch(() => undefined);
      expect(queue.load()).toEqual({ running: 2, waiting: 3 });
      const leave = await queue.enter(from("d", "old"));
      expect(queue.load()).toEqual({ running: 3, waiting: 3 });
      leave();
      queue.close();
    });

    it("gives one network no more places than one company", async () => {
      const queue = createFairQueue(open);
      const leaves = [await queue.enter(from("a", "one")), await queue.enter(from("a", "two"))];
      const third = queue.enter(from("a", "three"));
      (await queue.enter(from("b", "four")))();
      expect(queue.load()).toEqual({ running: 2, waiting: 1 });
      leaves[0]?.();
      (await third)();
      leaves[1]?.();
      expect(queue.load()).toEqual({ running: 0, waiting: 0 });
      // nothing is left of the networks
      for (const company of ["one", "two"]) await queue.enter(from("a", company));
      expect(queue.load()).toEqual({ running: 2, waiting: 0 });
    });

    it("counts the account of a new company in all its networks", async () => {
      const queue = createFairQueue({ ...open, userAtOnce: 1, userWaiting: 2 });
      const account = (network: string) => from(network, "eve", true);
      await queue.enter(account("a"));
      for (const network of ["b", "c"]) queue.enter(account(network)).catch(() => undefined);
      expect(queue.load()).toEqual({ running: 1, waiting: 2 });
      await expect(queue.enter(account("d"))).rejects.toMatchObject({
        code: "rate_limited",
        message: "Too much of your work is waiting",
      });
      (await queue.enter(from("e", "ann", true)))();
      queue.close();
    });

    it("lets a network wait that has nothing waiting, beside many of strangers", async () => {
      const queue = createFairQueue({ ...open, companyWaiting: 4, userWaiting: 3 });
      const leaves: (() => void)[] = [];
      for (const n of [1, 2]) leaves.push(await queue.enter(from("a", `eve-${n}`, true)));
      for (const n of [3, 4, 5]) queue.enter(from("a", `eve-${n}`, true)).catch(() => undefined);
      queue.enter(from("b", "eve-6", true)).catch(() => undefined);
      expect(queue.load()).toEqual({ running: 2, waiting: 4 });
      const waits = queue.enter(from("c", "ann", true));
      expect(queue.load()).toEqual({ running: 2, waiting: 5 });
      // a network whose other accounts wait: the server is busy, the account did nothing
      await expect(queue.enter(from("a", "ben", true))).rejects.toMatchObject({
        code: "busy",
        message: "The server is busy",
      });
      for (const leave of leaves) leave();
      (await waits)();
      queue.close();
    });

    it("bounds all that wait in new companies", async () => {
      const queue = createFairQueue(open);
      for (let n = 0; n < 1_002; n += 1) queue.enter(from(`n${n}`, `eve-${n}`, true)).catch(() => undefined);
      expect(queue.load()).toEqual({ running: 2, waiting: 1_000 });
      await expect(queue.enter(from("z", "ann", true))).rejects.toMatchObject({ code: "busy" });
      (await queue.enter(from("y", "old")))();
      queue.close();
    });

    it("asks only for the company where the network is not known", async () => {
      const queue = createFairQueue(open);
      for (const companyId of ["one", "two", "three"]) await queue.enter({ companyId, userId: "u" });
      expect(queue.load().running).toBe(3);
    });
  });

  it("keeps a place free for the other users of a company", async () => {
    const queue = createFairQueue({ ...bounds, atOnce: 3, companyAtOnce: 2, userAtOnce: 1 });
    const release = await queue.enter(ann);
    const second = queue.enter(ann);
    (await queue.enter(ben))();
    expect(queue.load()).toEqual({ running: 1, waiting: 1 });
    release();
    (await second)();
  });

  it("refuses a user with too much waiting, and says when to try again", async () => {
    const queue = createFairQueue({ ...bounds, userWaiting: 1 });
    const release = await queue.enter(ann);
    const waiting = queue.enter(ann);
    await expect(queue.enter(ann)).rejects.toMatchObject({ code: "rate_limited", details: { retryAfterSeconds: 60 } });
    const other = queue.enter(ben);
    release();
    (await other)();
    (await waiting)();
    expect(queue.load()).toEqual({ running: 0, waiting: 0 });
  });

  it("refuses a company with too much waiting", async () => {
    const queue = createFairQueue({ ...bounds, companyWaiting: 1 });
    await queue.enter(ann);
    const waiting = queue.enter(ann);
    await expect(queue.enter(ben)).rejects.toMatchObject({
      code: "rate_limited",
      message: "Too much work of your company is waiting",
    });
    queue.close();
    await expect(waiting).rejects.toMatchObject({ code: "busy" });
  });

  it("refuses work that waited too long, and goes on with the rest", async () => {
    const queue = createFairQueue({ ...bounds, waitMs: 5 });
    const release = await queue.enter(ann);
    await expect(queue.enter(eve)).rejects.toMatchObject({ code: "busy", details: { retryAfterSeconds: 1 } });
    release();
    (await queue.enter(eve))();
    expect(queue.load()).toEqual({ running: 0, waiting: 0 });
  });

  it("frees a place once, also when the work fails", async () => {
    const queue = createFairQueue(bounds);
    await expect(queue.run(() => Promise.reject(new Error("broken")), ann)).rejects.toThrow("broken");
    const release = await queue.enter(ann);
    release();
    release();
    expect(queue.load()).toEqual({ running: 0, waiting: 0 });
  });

  it("knows the company of the running request", async () => {
    const queue = createFairQueue({ ...bounds, userWaiting: 0 });
    await withCaller(ann, async () => {
      await queue.enter();
      await expect(queue.enter()).rejects.toMatchObject({ code: "rate_limited" });
    });
  });
});
