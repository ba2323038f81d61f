import commonmark from "commonmark-spec";
import { describe, expect, it } from "vitest";
import { formatMarkdown } from "../../core/markdown/format.ts";
import { differencesOf, findDifferences, fixDifferences } from "./markdown.ts";
import { readers } from "./readers.ts";

it("safe fixes keep what a view shows of generated texts", () => {
  expect(fixDifferences(0, 400)).toEqual([]);
});

describe("fmt keeps what readers show", () => {
  it("in generated texts", () => {
    expect(findDifferences(0, 400)).toEqual([]);
  });

  it.each([
    "20~25 °C and 5~7 bar\n",
    "Plate 200*300*50 mm, 2 * 3 * 4, *P*1\n",
    "この**「重要」**を読む。**注意：**正文。\n",
    "**Achtung:**sofort. Ein **„Notaus“**-Taster.\n",
    "| a | b |\n| - | - |\n| `\\(\\\\|\\)` | LAST |\n| x\n",
    "    code  \n",
    "```\n\n```\n",
    "a\\\n&nbsp;\n",
    "***\nkey: value\n\n***\n",
    "<https://a.example/x_y> and <ann@a.example>\n",
  ])("in %j", (text) => {
    expect(differencesOf(text)).toEqual([]);
  });

  const examples = commonmark.tests.map(({ markdown, number }) => ({ number, text: markdown.replaceAll("→", "\t") }));
  // stars between digits, and an email address inside a tag that is none
  const otherwise = { commonmark: [356], gfm: [356, 606] };

  it.each(["commonmark", "gfm"] as const)("shows the examples of CommonMark as before: %s", (name) => {
    const changed = examples.filter(
      ({ text }) => readers[name](text).trim() !== readers[name](formatMarkdown(text)).trim(),
    );
    expect(changed.map(({ number }) => number)).toEqual(otherwise[name]);
  });

  it("changes the examples of CommonMark once, and never begins front matter", () => {
    const formatted = examples.map(({ text }) => formatMarkdown(text));
    expect(formatted.filter((text) => formatMarkdown(text) !== text)).toEqual([]);
    expect(formatted.filter((text) => text.startsWith("---\n"))).toEqual([]);
  });
});
