import { expect, test } from "vitest";
import { effectiveText } from "./effective-text.ts";

test.each([
  ["2020-01-01", "2026-11-28", "day 2020-01-01, before its publication"],
  ["2026-11-28", "2026-11-28", "day 2026-11-28"],
  ["2027-01-01", "2026-11-28", "day 2027-01-01"],
  ["2020-01-01", null, "day 2020-01-01"],
])("the effective date %s of a publication on %s reads %j", (day, published, text) => {
  expect(effectiveText(day, published, (written) => `day ${written}`)).toBe(text);
});
