import { expect, test } from "vitest";
import { isPeriodRunning } from "./clock.ts";

test("what ends further ahead than its own length counts as ended", () => {
  const now = Date.parse("2026-06-01T08:00:00Z");
  expect([0, 1, 1000, 1001].map((left) => isPeriodRunning(now + left, 1000, now))).toEqual([false, true, true, false]);
});
