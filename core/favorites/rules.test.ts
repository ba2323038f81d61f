import { expect, test } from "vitest";
import { recentRanges, recentRangeStart } from "./rules.ts";

test("ranges reach back 1, 7, 30 and 91 days, and to the beginning", () => {
  const now = Date.parse("2026-03-31T12:00:00.000Z");
  expect(recentRanges.map((range) => recentRangeStart(range, now))).toEqual([
    "2026-03-30T12:00:00.000Z",
    "2026-03-24T12:00:00.000Z",
    "2026-03-01T12:00:00.000Z",
    "2025-12-30T12:00:00.000Z",
    "1970-01-01T00:00:00.000Z",
  ]);
});
