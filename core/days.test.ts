import { expect, test } from "vitest";
import { dayOf, createDayWriter, isDay, paperDay, readDay } from "./days.ts";

test("a day is one of the calendar, written in full", () => {
  expect(["2026-12-24", "2028-02-29", "1900-01-01", "2999-12-31"].filter((text) => !isDay(text))).toEqual([]);
  const wrong = [
    "2027-02-29",
    "2027-02-30",
    "2027-06-31",
    "2027-00-10",
    "2027-13-01",
    "2027-1-2",
    "0000-01-01",
    "1899-12-31",
    "3000-01-01",
    "9999-12-31",
    "10000-01-01",
    "2027-01-01T00:00",
    " 2027-01-01",
    "",
  ];
  expect(wrong.filter(isDay)).toEqual([]);
});

test("a moment means a day only where the day starts in UTC", () => {
  const starts = ["T00:00Z", "T00:00:00Z", "T00:00:00.000Z", "T00:00:00+00:00", ""];
  expect(starts.map((end) => readDay(`2027-10-01${end}`))).toEqual(starts.map(() => "2027-10-01"));
  const others = ["T08:00:00Z", "T00:00:00.001Z", "T00:00:00+02:00", "T00:00:00", "T24:00:00Z", " 00:00", "Z"];
  expect(others.map((end) => readDay(`2027-10-01${end}`))).toEqual(others.map(() => null));
  expect(readDay("2027-02-30T00:00:00Z")).toBeNull();
});

test("the day of a moment is its day in UTC, on screens and on paper", () => {
  expect(dayOf("2026-10-01T00:30:00+02:00")).toBe("2026-09-30");
  expect(createDayWriter(() => "en-US")("2026-09-27T00:00:00.000Z")).toBe("Sep 27, 2026");
  expect(createDayWriter(() => "en-GB", "month")("2026-09-27")).toBe("27 Sept");
  expect(["2026-09-27", "2026-09-27T23:59:59.999Z", "soon"].map(paperDay)).toEqual([
    "27 Sep 2026",
    "27 Sep 2026",
    "soon",
  ]);
});
