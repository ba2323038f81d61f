import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runParallel, parallelRequests } from "./run-parallel.ts";

test("several at a time, never more, results in order", async () => {
  let now = 0;
  let most = 0;
  const doubled = await runParallel([5, 1, 4, 2, 3, 0, 6], async (item) => {
    most = Math.max(most, (now += 1));
    await sleep(item);
    now -= 1;
    return item * 2;
  });
  expect(doubled).toEqual([10, 2, 8, 4, 6, 0, 12]);
  expect(most).toBe(parallelRequests);
});

test("after a failure nothing begins, and what is under way ends first", async () => {
  const begun: number[] = [];
  const done: number[] = [];
  const running = runParallel([0, 1, 2, 3, 4, 5, 6, 7], async (item) => {
    begun.push(item);
    await sleep(item === 0 ? 0 : 5);
    if (item === 0) throw new Error("no");
    done.push(item);
  });
  await expect(running).rejects.toThrow("no");
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(done.sort()).toEqual([1, 2, 3]);
});

test("nothing to do", async () => expect(await runParallel([], () => Promise.reject(new Error("no")))).toEqual([]));
