import { expect, test } from "vitest";
import { respondsInTime } from "./health.ts";

test("health reports a database that answers, fails or hangs", async () => {
  expect(await respondsInTime(Promise.resolve())).toBe(true);
  expect(await respondsInTime(Promise.reject(new Error("gone")))).toBe(false);
  expect(await respondsInTime(new Promise(() => {}), 20)).toBe(false);
});
