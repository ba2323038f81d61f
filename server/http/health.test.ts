import { expect, test } from "vitest";
import { answers } from "./health.ts";

test("a database that answers, fails or hangs", async () => {
  expect(await answers(Promise.resolve())).toBe(true);
  expect(await answers(Promise.reject(new Error("gone")))).toBe(false);
  expect(await answers(new Promise(() => {}), 20)).toBe(false);
});
