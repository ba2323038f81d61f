import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMarkdown } from "../markdown/format.ts";
import { compareWithBase, textWithChoices, type MergePlace, type MergeSide } from "./places.ts";

const md = (...blocks: string[]) => formatMarkdown(blocks.join("\n\n"));
const shown = (base: string, mine: string, theirs: string) =>
  compareWithBase(base, mine, theirs)
    .places.filter(({ by }) => by !== "none")
    .map(({ by, base: was, mine: a, theirs: b }) => [by, was, a, b]);
const proposed = (base: string, next: string) => shown(base, base, next).map(([, was, , now]) => [was, now]);

describe("a proposal", () => {
  test("is a change for each block, each step and each row", () => {
    const base = md(
      "## Steps",
      "1. Wash your hands\n2. Open the door\n3. Leave",
      "Text here.",
      "| A | B |\n| --- | --- |\n| 1 | one |\n| 2 | two |",
    );
    const next = md(
      "## Steps",
      "1. Wash your hands\n2. Open the front door\n3. Look around\n4. Leave",
      "Text here, longer.",
      "| A | B |\n| --- | --- |\n| 1 | one |\n| 2 | two and a half |",
    );
    expect(proposed(base, next)).toEqual([
      ["2. Open the door", "2. Open the front door"],
      ["", "3. Look around"],
      ["Text here.", "Text here, longer."],
      ["| 2 | two |", "| 2 | two and a half |"],
    ]);
  });

  test("that goes step by step keeps the numbers in order", () => {
    const base = md("1. One thing\n2. Two things\n3. Three things");
    const compared = compareWithBase(base, base, md("1. Two things\n2. Three things more\n3. Four pieces"));
    const first = (_: MergePlace, index: number): MergeSide => (index === 0 ? "theirs" : "mine");
    expect(textWithChoices(compared, first)).toBe(md("1. Two things\n2. Three things"));
    expect(textWithChoices(compared, (place) => (place.base === "" ? "theirs" : "mine"))).toBe(
      md("1. One thing\n2. Two things\n3. Three things\n4. Four pieces"),
    );
  });

  test("that makes a list of another kind is one change", () => {
    expect(proposed(md("- One\n- Two"), md("1. One\n2. Two"))).toEqual([["- One\n- Two", "1. One\n2. Two"]]);
  });

  test("names the blocks of the base that it changes, and the one it follows", () => {
    const base = md("First words", "Second words", "- a thing\n- b thing");
    const places = compareWithBase(
      base,
      base,
      md("Zero", "First words", "Second words more", "- a thing\n- b thing\n- c thing"),
    ).places;
    expect(
      places
        .filter(({ by }) => by === "theirs")
        .map(({ from, to, kind, line, endLine }) => [from, to, kind, line, endLine]),
    ).toEqual([
      [-1, -1, "block", 0, 0],
      [1, 1, "block", 3, 3],
      [2, 2, "item", 0, 0],
    ]);
  });
});

describe("two sides", () => {
  test("that changed different steps of one list do not meet", () => {
    const base = md("1. One thing\n2. Two things\n3. Three things");
    const [mine, theirs] = [
      md("1. One thing of mine\n2. Two things\n3. Three things"),
      md("1. One thing\n2. Two things\n3. Three things of theirs\n4. New"),
    ];
    expect(shown(base, mine, theirs).map(([by]) => by)).toEqual(["mine", "theirs", "theirs"]);
    expect(textWithChoices(compareWithBase(base, mine, theirs), ({ by }) => (by === "mine" ? "mine" : "theirs"))).toBe(
      md("1. One thing of mine\n2. Two things\n3. Three things of theirs\n4. New"),
    );
  });

  test("that changed one step meet there, and both can stand", () => {
    const base = md("1. One thing\n2. Two things", "End");
    const compared = compareWithBase(
      base,
      md("1. One thing, mine\n2. Two things", "End"),
      md("1. One thing, theirs\n2. Two things", "The end"),
    );
    expect(compared.places.filter(({ by }) => by === "both")).toHaveLength(1);
    expect(textWithChoices(compared, ({ by }) => (by === "both" ? "both" : "theirs"))).toBe(
      md("1. One thing, mine\n2. One thing, theirs\n3. Two things", "The end"),
    );
  });

  test("that removed neighbours, or one of them what the other changed", () => {
    const base = md("First words here", "Second words here", "Third words here");
    expect(
      shown(base, md("Second words here", "Third words here"), md("First words here", "Third words here")).map(
        ([by]) => by,
      ),
    ).toEqual(["mine", "theirs"]);
    expect(
      shown(
        base,
        md("First words here", "Third words here"),
        md("First words here", "Second words here too", "Third words here"),
      ),
    ).toEqual([["both", "Second words here", "", "Second words here too"]]);
  });

  test("that did the same did one thing", () => {
    expect(shown(md("One", "Two"), md("One", "Three words"), md("One", "Three words"))).toEqual([]);
  });
});

const word = fc.constantFrom(
  "wash",
  "hands",
  "valve",
  "open",
  "close",
  "30 min",
  "never",
  "**hot**",
  "`code`",
  "[link](https://a.example)",
);
const line = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
const lines = fc.array(line, { minLength: 1, maxLength: 4 });
const block = fc.oneof(
  line,
  line.map((text) => `## ${text}`),
  lines.map((items) => items.map((item, index) => `${index + 1}. ${item}`).join("\n")),
  lines.map((items) => items.map((item) => `- ${item}\n  - ${item} below`).join("\n")),
  lines.map((items) => items.map((item) => `- [ ] ${item}`).join("\n")),
  lines.map((rows) => `| A |\n| --- |\n${rows.map((row) => `| ${row} |`).join("\n")}`),
  line.map((text) => `> [!WARNING]\n> ${text}`),
  line.map((text) => `\`\`\`\n${text}\n\n${text}\n\`\`\``),
);
const blocks = fc.array(block, { maxLength: 7 });
/** Another version of a text: blocks removed, added, or reworded by a line. */
const edit = fc.record({ at: fc.nat(7), kind: fc.constantFrom("drop", "insert", "append", "line"), block, line });
const edited = (from: readonly string[], edits: readonly { at: number; kind: string; block: string; line: string }[]) =>
  edits.reduce<string[]>(
    (all, { at, kind, block: other, line: words }) => {
      const place = Math.min(at, all.length);
      if (kind === "insert") return all.toSpliced(place, 0, other);
      if (kind === "drop") return all.toSpliced(place, 1);
      const own = all[place];
      if (own === undefined) return all;
      const rows = own.split("\n");
      return all.with(
        place,
        kind === "line" && rows.length > 2
          ? rows.toSpliced(1, 1).join("\n")
          : own.replace(/(\w)( \|)?$/, `$1 ${words}$2`),
      );
    },
    [...from],
  );
const three = fc
  .tuple(blocks, fc.array(edit, { maxLength: 3 }), fc.array(edit, { maxLength: 3 }))
  .map(([all, one, other]) => [md(...all), md(...edited(all, one)), md(...edited(all, other))] as const);

describe("for any two texts", () => {
  test("all of one side is that side, to the byte", () => {
    fc.assert(
      fc.property(three, ([base, mine, theirs]) => {
        const compared = compareWithBase(base, mine, theirs);
        expect(textWithChoices(compared, () => "mine")).toBe(mine);
        expect(textWithChoices(compareWithBase(base, base, theirs), () => "theirs")).toBe(theirs);
        expect(textWithChoices(compareWithBase(base, base, theirs), () => "mine")).toBe(base);
      }),
      { numRuns: 40 },
    );
  });

  test("the places together are each of the three texts", () => {
    const words = (text: string) => text.replace(/\d+\.|-{3,}|[\s|:]/g, "");
    fc.assert(
      fc.property(three, ([base, mine, theirs]) => {
        const { places } = compareWithBase(base, mine, theirs);
        for (const [side, text] of [
          ["base", base],
          ["mine", mine],
          ["theirs", theirs],
        ] as const) {
          const whole = places.map((place) => place[side]).join("\n\n");
          expect(words(whole)).toBe(words(text));
        }
      }),
      { numRuns: 40 },
    );
  });

  test("any choice keeps unchanged text to the byte, and what was chosen", () => {
    const sides = fc.array(fc.constantFrom<MergeSide>("mine", "theirs", "both"), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(three, sides, ([base, mine, theirs], choice) => {
        const compared = compareWithBase(base, mine, theirs);
        const text = textWithChoices(compared, (_, index) => choice[index % choice.length] ?? "mine");
        expect(formatMarkdown(text)).toBe(text);
        compared.places.forEach((place, index) => {
          const side = place.by === "none" ? "mine" : (choice[index % choice.length] ?? "mine");
          for (const one of side === "both" ? (["mine", "theirs"] as const) : [side])
            expect(text).toHaveText(place, place[one]);
        });
      }),
      { numRuns: 40 },
    );
  });

  test("without a conflict keeps each side's changes, and loses no line that neither removed", () => {
    fc.assert(
      fc.property(three, ([base, mine, theirs]) => {
        const compared = compareWithBase(base, mine, theirs);
        const text = textWithChoices(compared, ({ by }) =>
          by === "both" ? "both" : by === "theirs" ? "theirs" : "mine",
        );
        const [was, own, other, now] = [base, mine, theirs, text].map(linesOf) as [
          Set<string>,
          Set<string>,
          Set<string>,
          Set<string>,
        ];
        // Of a line that base has twice, each side can remove another one: then both sides have it, and the result doesn't.
        const once = (one: string) =>
          bare(base)
            .split("\n")
            .filter((line) => line === one).length === 1;
        for (const one of [...own, ...other]) {
          const wanted = (own.has(one) && other.has(one) && once(one)) || !was.has(one);
          if (wanted) expect(now).toContain(one);
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** Without numbers, table padding and blank lines: two lists next to each other become one. */
function bare(text: string): string {
  return text
    .replace(/^\d+[.)] /gm, "1. ")
    .replace(/^[*-] /gm, "- ")
    .replace(/[ \t]+/g, " ")
    .replace(/\n+/g, "\n");
}

function linesOf(text: string): Set<string> {
  return new Set(
    bare(text)
      .split("\n")
      .filter((line) => line.trim() !== "" && !/^\| -+ \|$/.test(line)),
  );
}

expect.extend({
  toHaveText: (text: string, _: MergePlace, part: string) => ({
    pass: bare(text).includes(bare(part).trimEnd()),
    message: () => `${JSON.stringify(part)} is not in ${JSON.stringify(text)}`,
  }),
});

declare module "vitest" {
  // oxlint-disable-next-line typescript/no-empty-object-type -- how vitest learns about a matcher
  interface Matchers<T> {
    toHaveText(place: MergePlace, part: string): T;
  }
}
