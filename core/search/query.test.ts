import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery, withReplacedTerms, type QueryOptions } from "./query.ts";

const terms = (text: string, options?: QueryOptions) =>
  parseQuery(text, options).terms?.map(({ raw, isPrefix }) => raw + (isPrefix ? "*" : "")) ?? null;

describe("a question", () => {
  it.each([
    ["how do I reset a password", ["reset", "password*"]],
    ["reset password ", ["reset", "password"]],
    ["to be or", ["to", "be", "or*"]],
    ["step 5", ["step", "5"]],
    ["Prüf", ["pruf*"]],
    ["x", ["x"]],
    ["pump pump", ["pump*"]],
    [
      "one two three four five six seven eight nine ten",
      ["one", "two", "three", "four", "five", "six", "seven", "eight"],
    ],
    ["lock-out", ["lockout*"]],
    [" ", []],
    ["%%", null],
  ])("%j is %j", (text, expected) => expect(terms(text)).toEqual(expected));

  it.each(["SOP 42", "sop_0042", "SOP–0042", "sop - 42", "SOP42", "ＳＯＰ－４２"])("finds a number: %s", (text) => {
    for (const { raw, alternatives } of parseQuery(text).terms ?? [])
      expect([[raw], ...alternatives]).toContainEqual(["sop42"]);
  });

  it.each(["42", "0042", "#42", "# 042", "４２"])("finds a number by its digits: %s", (text) => {
    const starts = ["SOP-", "QM."];
    const [term] = parseQuery(text, { starts }).terms ?? [];
    expect(term?.alternatives).toContainEqual(["sop42"]);
    expect(parseQuery(text).terms?.[0]?.alternatives).toEqual([]);
  });

  it("finds a compound by its parts, and a word by what the glossary calls it", () => {
    const synonyms = [["LOTO", "lock out tag out", "isolation"]];
    expect(parseQuery("e-mail").terms?.[0]?.alternatives).toEqual([["e", "mail"]]);
    expect(parseQuery("loto", { synonyms }).terms?.[0]?.alternatives).toEqual([
      ["lock", "out", "tag", "out"],
      ["isolation"],
    ]);
    expect(parseQuery("valve", { synonyms }).terms?.[0]?.alternatives).toEqual([]);
  });

  it("finds words that have a synonym together by that, and by all of them", () => {
    const synonyms = [
      ["PPE", "protective equipment", "safety gear"],
      ["lock-out", "isolation"],
      ["gear", "gearbox"],
    ];
    const asked = (text: string) =>
      parseQuery(text, { synonyms }).terms?.map(({ raw, alternatives }) => [
        raw,
        alternatives.map((way) => way.join(" ")),
      ]);
    expect(asked("wear protective equipments now")).toEqual([
      ["wear", []],
      ["protective equipments", ["protective equipments", "ppe", "safety gear"]],
      ["now", []],
    ]);
    expect(asked("PPE")).toEqual([["ppe", ["protective equipment", "safety gear"]]]);
    // the longest phrase counts; a single word of it is only that word
    expect(asked("safety gear")).toEqual([["safety gear", ["safety gear", "ppe", "protective equipment"]]]);
    expect(asked("gear")).toEqual([["gear", ["gearbox"]]]);
    expect(asked("protective")).toEqual([["protective", []]]);
    expect(asked("isolation")).toEqual([["isolation", ["lockout", "lock out"]]]);
    expect(asked("lock out")).toEqual([["lock out", ["lock out", "isolation"]]]);
    expect(asked("lock-out")).toEqual([["lockout", ["lock out", "isolation"]]]);
    expect(parseQuery("safety gear", { synonyms }).terms?.[0]).toMatchObject({ isPrefix: false, start: 0, end: 11 });
  });

  it("is shown with its corrected words in place", () => {
    const query = parseQuery("the  Pasword  resett");
    const [first, second] = query.terms ?? [];
    if (!first || !second) throw new Error("two terms");
    expect(
      withReplacedTerms(
        query,
        new Map([
          [second, "reset"],
          [first, "password"],
        ]),
      ),
    ).toBe("the password reset");
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => void parseQuery(text)),
      { numRuns: 100 },
    );
  });
});
