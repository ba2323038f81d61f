import { expect, test } from "vitest";
import { isDay, isRunning } from "./clock.ts";

test("a day is one of the calendar, written in full", () => {
  expect(["2026-12-24", "2028-02-29", "0001-01-01", "9999-12-31"].filter((text) => !isDay(text))).toEqual([]);
  const wrong = [
    "2027-02-29",
    "2027-02-30",
    "2027-06-31",
    "2027-00-10",
    "2027-13-01",
    "2027-1-2",
    "2027-01-01T00:00",
    " 2027-01-01",
    "",
  ];
  expect(wrong.filter(isDay)).toEqual([]);
});

test("what ends further ahead than its own length counts as ended", () => {
  const now = Date.parse("2026-06-01T08:00:00Z");
  expect([0, 1, 1000, 1001].map((left) => isRunning(now + left, 1000, now))).toEqual([false, true, true, false]);
});
