import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  defaultNumberScheme,
  spellNumberByScheme,
  isNumberOfScheme,
  sopsNamedByNumber,
  numberKey,
  numberFromScheme,
  numberStart,
  readNumber,
  readNumberScheme,
  readPossibleNumbers,
  parseStoredScheme,
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
    expect(readNumberScheme(source)).toEqual(parseStoredScheme(source));
    expect(numberFromScheme(parseStoredScheme(source), facts, count)).toBe(number);
    expect(readNumber(number)).toBe(number);
    expect(spellNumberByScheme(source, facts, number)).toEqual({ number });
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
  ])("%s is refused with the way out", (source, message) =>
    expect(readNumberScheme(source)).toHaveProperty("text", expect.stringMatching(message)),
  );

  it("that can't be read count as the default", () => {
    expect(numberStart(parseStoredScheme("old"), facts)).toBe("SOP-");
  });
});

describe("chosen numbers", () => {
  const source = "{category}-{year}-{seq:3}";
  const inHr = { category: "hr", year: 2026 };

  it("are spelled as the scheme spells them, for any year", () => {
    for (const wanted of ["HR-2019-007", " hr-2019-7 ", "HR-2019-0007", "HR 2019_7", "hr – 2019 – ７"])
      expect(spellNumberByScheme(source, inHr, wanted)).toEqual({ number: "HR-2019-007" });
    expect(spellNumberByScheme(source, inHr, "HR-2019-1234")).toEqual({ number: "HR-2019-1234" });
  });

  it.each(["IT-2026-007", "HR-26-007", "HR-2026-", "HR-2026-000", "12", "SOP-0001", ""])(
    "%s doesn't fit, and the reason has an example",
    (wanted) => expect(spellNumberByScheme(source, inHr, wanted).reason?.text).toContain("HR-2026-007"),
  );

  it("with a dot in the scheme need the dot", () => {
    expect(spellNumberByScheme("QM.{seq:2}", inHr, "QM-01").reason?.text).toContain("QM.07");
  });
});

describe("spellings", () => {
  const schemes = ["SOP-{seq:4}", "QM.{year}.{seq:2}", "{category}-{seq:3}", "WI.{category}-{seq}"];
  const count = fc.integer({ min: 1, max: 99_999 });
  const number = fc
    .record({ source: fc.constantFrom(...schemes), category: fc.constantFrom("hr", "it-ops"), count })
    .map(({ source, ...facts }) => numberFromScheme(parseStoredScheme(source), { ...facts, year: 2026 }, facts.count));
  const sign = fc.constantFrom("-", "–", "—", "‑", "−", "_", " ", "  ", " - ", "\u00A0", "-\u2009", ".");
  const spelled = number.chain((label) => {
    const parts = label.split(/[.-]/);
    const last = parts.at(-1) ?? "";
    return fc
      .record({
        signs: fc.array(sign, { minLength: parts.length, maxLength: parts.length }),
        zeros: fc.integer({ min: 0, max: 3 }),
        form: fc.constantFrom(
          (text: string) => text,
          (text: string) => text.toLowerCase(),
          (text: string) => ` ${text} `,
          (text: string) => text.replace(/[A-Z0-9]/g, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfee0)),
        ),
        isJoined: fc.boolean(),
      })
      .map(({ signs, zeros, form, isJoined }) => {
        const before = parts.slice(0, -1);
        const joined = isJoined && /[A-Z]$/.test(before.at(-1) ?? "");
        const end = "0".repeat(Math.min(zeros, 9 - last.length)) + last;
        const text = before.map((part, index) => part + (joined && index === before.length - 1 ? "" : signs[index]));
        return { label, spelling: form(text.join("") + end) };
      });
  });

  it("of any kind find their number, and no other", () => {
    fc.assert(
      fc.property(spelled, fc.array(number, { maxLength: 20 }), ({ label, spelling }, others) => {
        const all = [...new Set([label, ...others])].map((one) => ({ label: one, labelKey: numberKey(one) }));
        expect(sopsNamedByNumber(readPossibleNumbers(spelling), all).map((one) => one.label)).toEqual([label]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("name several numbers only if none is written so", () => {
    const all = ["QM-07", "QM.07", "SOP-0007"].map((label) => ({ label, labelKey: numberKey(label) }));
    const named = (text: string, starts: string[] = []) =>
      sopsNamedByNumber(readPossibleNumbers(text, starts), all).map((one) => one.label);
    expect(["QM-7", "qm.007", "QM 7", "QM7", "7", "8"].map((text) => named(text))).toEqual([
      ["QM-07"],
      ["QM.07"],
      ["QM-07", "QM.07"],
      ["QM-07", "QM.07"],
      [],
      [],
    ]);
    expect(named("7", ["SOP-"])).toEqual(["SOP-0007"]);
    expect(named("7", ["QM-", "SOP-"])).toHaveLength(2);
  });

  it("that are no number find none", () => {
    for (const text of ["16#18", "", "SOP", "-", "SOP-", "SOP-1234567890", "reset a password", "../5", "x".repeat(200)])
      expect([text, readPossibleNumbers(text, ["SOP-"]).keys]).toEqual([text, []]);
  });

  it.each([
    ["SOP-{seq:4}", "sop 42", true],
    ["SOP-{seq:4}", "42", true],
    ["SOP-{seq:4}", "QM-4", false],
    ["{category}-{year}-{seq}", "hr 2026 4", true],
    ["{category}-{year}-{seq}", "4", false],
  ])("of the scheme %s: %s is one: %s", (source, text, fits) => expect(isNumberOfScheme(source, text)).toBe(fits));
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
