import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignKeys } from "./align.ts";
import { changedFrontMatterFields } from "./facts.ts";
import { diffLines } from "./lines.ts";

const texts = fc.array(fc.constantFrom("a", "b", "c", "", "1. d"), { maxLength: 12 }).map((lines) => lines.join("\n"));
const keys = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 14 });

describe("lines of two texts", () => {
  it("say what went before what came in its place, last lines without a break too", () => {
    expect(diffLines("a\nb\nc", "a\nx\ny\nc\n")).toEqual([
      { kind: "same", text: "a\n" },
      { kind: "removed", text: "b\nc" },
      { kind: "added", text: "x\ny\nc\n" },
    ]);
    expect(diffLines("", "a\n")).toEqual([{ kind: "added", text: "a\n" }]);
    expect(diffLines("", "")).toEqual([]);
  });

  it("make the old text and the new one", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const parts = diffLines(before, after);
        const without = (kind: string) => parts.filter((part) => part.kind !== kind).map(({ text }) => text);
        expect(without("removed").join("")).toBe(after);
        expect(without("added").join("")).toBe(before);
        if (before === after) expect(parts.every(({ kind }) => kind === "same")).toBe(true);
      }),
    );
  });
});

describe("alignment", () => {
  it("pairs equal keys in order, and all of them where nothing differs", () => {
    fc.assert(
      fc.property(keys, keys, (before, after) => {
        const matches = alignKeys(before, after);
        for (const [index, [a, b]] of matches.entries()) {
          expect(before[a]).toBe(after[b]);
          const [lastA, lastB] = matches[index - 1] ?? [-1, -1];
          expect(a > lastA && b > lastB).toBe(true);
        }
        expect(alignKeys(before, before)).toHaveLength(before.length);
      }),
    );
  });

  it("finds what was inserted without losing the rest, at any length", () => {
    const before = Array.from({ length: 5_000 }, (_, n) => `line ${n % 700}`);
    const after = [...before.slice(0, 2_000), "new 1", "new 2", ...before.slice(2_000, 4_000), ...before.slice(4_001)];
    expect(alignKeys(before, after).length).toBe(4_999);
  });

  it("gives a stretch up that was rewritten from end to end", () => {
    const before = Array.from({ length: 3_000 }, (_, n) => `${n % 2}`);
    const after = Array.from({ length: 3_000 }, (_, n) => `${n % 3}`);
    expect(alignKeys(before, after)).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
});

describe("facts", () => {
  it("are listed in the order of the file, lists joined, missing ones as null, without the identity", () => {
    expect(
      changedFrontMatterFields(
        { sop: "SOP-0001", version: 1, title: "Old", tags: ["a"], read_minutes: 5, "x-site": "North" },
        { sop: "SOP-0001", version: 2, title: "New", tags: ["a", "b"], read_minutes: 5, lang: "en" },
      ),
    ).toEqual([
      { field: "title", from: "Old", to: "New" },
      { field: "tags", from: "a", to: "a, b" },
      { field: "lang", from: null, to: "en" },
      { field: "x-site", from: "North", to: null },
    ]);
    expect(changedFrontMatterFields({ title: "Same", version: 1 }, { title: "Same", version: 9 })).toEqual([]);
  });
});
