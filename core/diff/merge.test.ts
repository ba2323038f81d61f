import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasConflictMarkers, mergeTexts } from "./merge.ts";

const names = { mine: "yours", theirs: "server" };
const merge = (base: string, mine: string, theirs: string) => mergeTexts(base, mine, theirs, names);
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("");

describe("three-way merge", () => {
  test("takes what one side alone changed, added or removed", () => {
    const base = lines("a", "b", "c", "d", "e");
    expect(merge(base, lines("A", "b", "c", "d", "e"), lines("a", "b", "c", "d", "e", "f"))).toEqual({
      text: lines("A", "b", "c", "d", "e", "f"),
      conflicts: 0,
    });
    expect(merge(base, lines("a", "c", "d", "e"), lines("a", "b", "c", "x", "d", "e"))).toEqual({
      text: lines("a", "c", "x", "d", "e"),
      conflicts: 0,
    });
  });

  test("shows both where both changed the same lines, and only there", () => {
    expect(merge(lines("a", "b", "c"), lines("a", "mine", "c"), lines("a", "theirs", "c", "d"))).toEqual({
      text: lines("a", "<<<<<<< yours", "mine", "=======", "theirs", ">>>>>>> server", "c", "d"),
      conflicts: 1,
    });
    expect(merge("a", "b", "").text).toBe(lines("<<<<<<< yours", "b", "=======", ">>>>>>> server"));
  });

  test("the same change on both sides is one change", () => {
    expect(merge(lines("a", "b"), lines("a", "x"), lines("a", "x"))).toEqual({ text: lines("a", "x"), conflicts: 0 });
  });

  test("knows its own markers from rules and headings of Markdown", () => {
    expect(hasConflictMarkers(merge("a\n", "b\n", "c\n").text)).toBe(true);
    expect(hasConflictMarkers("Title\n=======\n\n<<<<<<<\n> > > quote\n")).toBe(false);
  });

  const text = fc.array(fc.constantFrom("a", "b", "c", "", "=", "1. x"), { maxLength: 12 }).map((all) => lines(...all));

  test("who changed nothing gets the other side, and the order of the sides changes no clean merge", () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        expect(merge(base, base, theirs)).toEqual({ text: theirs, conflicts: 0 });
        expect(merge(base, mine, base)).toEqual({ text: mine, conflicts: 0 });
        expect(merge(base, mine, mine)).toEqual({ text: mine, conflicts: 0 });
        const [one, other] = [merge(base, mine, theirs), merge(base, theirs, mine)];
        expect(one.conflicts).toBe(other.conflicts);
        if (one.conflicts === 0) expect(one.text).toBe(other.text);
        else expect(hasConflictMarkers(one.text)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
