import { describe, expect, it } from "vitest";
import { dateLocale, dateText, dateTimeText, timeAgo } from "./time.ts";

const now = Date.parse("2026-06-15T12:00:00.000Z");
const before = (seconds: number) => timeAgo(new Date(now - seconds * 1000).toISOString(), now);

describe("timeAgo", () => {
  it.each([
    [0, "just now"],
    [59, "just now"],
    [60, "1 min ago"],
    [3599, "59 min ago"],
    [3600, "1 hour ago"],
    [86_400, "1 day ago"],
    [3 * 86_400, "3 days ago"],
    [14 * 86_400, "2 weeks ago"],
    [70 * 86_400, "2 months ago"],
    [359 * 86_400, "11 months ago"],
    [800 * 86_400, "2 years ago"],
    [-30, "just now"],
  ])("%d seconds are '%s'", (seconds, text) => {
    expect(before(seconds)).toBe(text);
  });
});

describe("dates", () => {
  it("read 'MMM d, yyyy' and medium with time", () => {
    const noon = new Date(2026, 0, 5, 12, 4).toISOString();
    expect(dateText(noon)).toBe("Jan 5, 2026");
    expect(dateTimeText(noon)).toMatch(/^Jan 5, 2026, 12:04\sPM [A-Z]{3,4}(?:[+-][\d:]+)?$/);
  });
  it.each([
    ["en-US", "Jan 5, 2026"],
    ["en-GB", "5 Jan 2026"],
    ["de", "5 Jan 2026"],
    ["ja-JP", "Jan 5, 2026"],
  ])("follow the region of %s, in English", (language, text) => {
    expect(new Intl.DateTimeFormat(dateLocale(language), { dateStyle: "medium" }).format(new Date(2026, 0, 5))).toBe(
      text,
    );
  });
});
