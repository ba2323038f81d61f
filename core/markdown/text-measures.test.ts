import { describe, expect, it } from "vitest";
import { assertParsable, markdownLimits, utf8Length } from "./limits.ts";
import { readingMinutesOf } from "./read-time.ts";
import { foldText } from "./words.ts";

describe("readingMinutesOf", () => {
  it.each([
    ["", 1],
    ["word ".repeat(200), 1],
    ["word ".repeat(1_000), 5],
    ["wort-teil über ".repeat(300), 3],
    [`<!-- ${"x ".repeat(4_000)} -->`, 1],
  ])("%#", (text, minutes) => {
    expect(readingMinutesOf(text)).toBe(minutes);
  });
});

describe("foldText", () => {
  it.each([
    ["Prüfung der PRUFUNG", "prufung der prufung"],
    ["ﬁle №5", "file no5"],
  ])("takes case and diacritics from %j", (text, folded) => expect(foldText(text)).toBe(folded));
});

describe("guardMarkdown", () => {
  it("counts bytes, not characters", () => {
    for (const text of ["a", "é", "漢", "😀", "a😀é漢", ""])
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
    expect(() => assertParsable("漢".repeat(markdownLimits.bytes / 3 + 1))).toThrow(/larger than 1024 KiB/);
    expect(() => assertParsable("a ".repeat(markdownLimits.bytes / 2))).not.toThrow();
  });

  it.each([
    ["quotes", ">".repeat(101)],
    ["lists in one line", `${"- ".repeat(101)}a`],
    ["emphasis", "*a_ ".repeat(5_000)],
    ["brackets", "![".repeat(1_001)],
  ])("refuses too many %s, naming the line", (_, text) => {
    expect(() => assertParsable(`fine\n\n${text}`)).toThrow(/line 3/);
  });

  it("lets through what documents hold", () => {
    expect(() => assertParsable("> ".repeat(20) + "x")).not.toThrow();
    expect(() => assertParsable(`| a | b |\n| --- | --- |\n${"| **a** | _b_ |\n".repeat(5_000)}`)).not.toThrow();
    expect(() => assertParsable("*a* _b_ **c**\n\n".repeat(5_000))).not.toThrow();
  });
});
