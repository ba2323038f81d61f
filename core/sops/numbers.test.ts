import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  defaultNumberScheme,
  fitNumber,
  numberKey,
  numberOf,
  numberStart,
  readNumber,
  readScheme,
  schemeOf,
} from "./numbers.ts";

const facts = { category: "human-resources", year: 2026 };

describe("schemes of numbers", () => {
  it.each([
    [defaultNumberScheme, 42, "SOP-0042"],
    [defaultNumberScheme, 123_456, "SOP-123456"],
    ["{category}-{seq:3}", 7, "HUMAN-RESOURCES-007"],
    ["QM.{year}.{seq:2}", 7, "QM.2026.07"],
    ["WI-{category}-{year}-{seq}", 7, "WI-HUMAN-RESOURCES-2026-7"],
  ])("%s counts %i as %s", (source, count, number) => {
    expect(readScheme(source)).toEqual(schemeOf(source));
    expect(numberOf(schemeOf(source), facts, count)).toBe(number);
    expect(readNumber(number)).toBe(number);
    expect(fitNumber(source, facts, number)).toEqual({ number });
  });

  it.each([
    ["SOP-", /End the scheme with \{seq:3\}/],
    ["{seq}-A", /End the scheme/],
    ["A-{seq}-{seq}", /End the scheme/],
    ["A-{seq:0}", /1 to 9 digits/],
    ["A-{seq:12}", /1 to 9 digits/],
    ["{team}-{seq}", /\{team\} is not known/],
    ["Doc-{seq}", /capital letters/],
    ["A B-{seq}", /capital letters/],
    ["ÄÖ-{seq}", /capital letters/],
    ["A/{seq}", /capital letters/],
    ["SOP{seq:3}", /Write - or \. before/],
    ["{category}{seq:3}", /Write - or \. before/],
    ["-{seq}", /Begin with a letter or digit/],
    ["A..-{seq}", /Begin with a letter or digit/],
    ["{year}-{seq}", /Begin with letters or \{category\}/],
    [`${"A".repeat(60)}-{seq}`, /at most 60/],
  ])("%s is refused with the way out", (source, message) => expect(readScheme(source)).toMatch(message));

  it("that can't be read count as the default", () => {
    expect(numberStart(schemeOf("old"), facts)).toBe("SOP-");
  });
});

describe("chosen numbers", () => {
  const source = "{category}-{year}-{seq:3}";
  const inHr = { category: "hr", year: 2026 };

  it("are spelled as the scheme spells them, for any year", () => {
    for (const wanted of ["HR-2019-007", " hr-2019-7 ", "HR-2019-0007"])
      expect(fitNumber(source, inHr, wanted)).toEqual({ number: "HR-2019-007" });
    expect(fitNumber(source, inHr, "HR-2019-1234")).toEqual({ number: "HR-2019-1234" });
  });

  it.each(["IT-2026-007", "HR-26-007", "HR-2026-", "HR-2026-000", "HR 2026 007", "12", "SOP-0001", ""])(
    "%s doesn't fit, and the reason has an example",
    (wanted) => expect(fitNumber(source, inHr, wanted).reason).toContain("HR-2026-007"),
  );

  it("with a dot in the scheme need the dot", () => {
    expect(fitNumber("QM.{seq:2}", inHr, "QM-01").reason).toContain("QM.07");
  });
});

describe("keys of numbers", () => {
  it("are equal for two spellings, and sort as people count", () => {
    expect(numberKey("hr-7")).toBe(numberKey("HR-007"));
    expect(numberKey("HR-7")).not.toBe(numberKey("HR.7"));
    const sorted = ["SOP-10000", "HR-2", "SOP-0099", "HR-10"].sort((a, b) => (numberKey(a) < numberKey(b) ? -1 : 1));
    expect(sorted).toEqual(["HR-2", "HR-10", "SOP-0099", "SOP-10000"]);
  });

  it("of any text never throw, and reading twice changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."SOP-01.29x{} ") }), (text) => {
        numberKey(text);
        const number = readNumber(text);
        if (number !== null) expect(readNumber(number)).toBe(number);
      }),
    );
  });
});
