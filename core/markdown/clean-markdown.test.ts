/** Marks of direction, judged by what a reader sees: the Unicode bidirectional algorithm orders each shown block. */
import bidiFactory from "bidi-js";
import fc from "fast-check";
import type { Element, Nodes } from "hast";
import { describe, expect, it } from "vitest";
import { isTextRightToLeft } from "#core/export/direction.ts";
import { plainTextOfInlines } from "#core/export/blocks.ts";
import { readExportBlocks } from "#core/export/read-blocks.ts";
import { canonicalBody } from "#core/import/markdown/canonical-body.ts";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { cleaningNotes, cleanMarkdown } from "./clean-markdown.ts";
import { formatMarkdown } from "./format.ts";
import { parseHtml } from "./html-tree.ts";
import { renderHtml } from "./render.ts";

const bidi = bidiFactory();
const marks = /[\u061c\u200e\u200f\u2066-\u2069]/g;
const [lrm, rlm, lri, rli, fsi, pdi, alm] = ["\u200e", "\u200f", "\u2066", "\u2067", "\u2068", "\u2069", "\u061c"];

/** The text of a block from left to right, as a page of a direction shows it. Each forced break begins a new line. */
function seen(text: string, dir: "ltr" | "rtl"): string[] {
  const isFromRight = isTextRightToLeft(text, true);
  const base = dir === "ltr" ? "ltr" : isFromRight ? "rtl" : "auto";
  return text.split("\n").map((line) => {
    const levels = bidi.getEmbeddingLevels(line, base);
    return bidi.getReorderedString(line, levels).replace(marks, "").replace(/\s+/g, " ");
  });
}

const block = /^(?:p|li|td|th|h[1-6])$/;

/** The text of each block of a page, without the blocks in it. */
function blocksOf(html: string): string[] {
  const blocks: string[] = [];
  const own = (node: Nodes): string => {
    if (node.type === "text") return node.value.replace(/\n/g, " ");
    if (node.type !== "element") return "";
    if (node.tagName === "br") return "\n";
    if (block.test(node.tagName)) visit(node);
    return block.test(node.tagName) ? "" : node.children.map(own).join("");
  };
  const visit = (node: Element) => {
    const at = blocks.push("") - 1;
    blocks[at] = node.children.map(own).join("");
  };
  for (const node of parseHtml(html).children) own(node);
  return blocks;
}

describe("what a reader sees of a text from the right", () => {
  const words = fc.constantFrom("חמם", "ל־", "בדוק את", "סגור", "سخن", "إلى", "أغلق");
  const measures = "10–20 °C,10 - 20,5 bar,1 → 2,(3/4),-5,2026-11-28,±2 %,٥–٧,٥–٧ °C,۵–۷,۵–۷ bar,< 7".split(",");
  const figures = fc.constantFrom(...measures, ..."V-101/2,Pump A,SOP-12 (rev. B),pH 7,H2O".split(","));
  const mark = fc.constantFrom(lrm, rlm, alm);
  const marked = fc.oneof(
    fc.tuple(mark, figures).map((parts) => parts.join("")),
    fc.tuple(figures, mark).map((parts) => parts.join("")),
    fc.tuple(mark, figures, mark).map((parts) => parts.join("")),
    fc.tuple(fc.constantFrom(lri, rli, fsi), figures).map(([begin, text]) => `${begin}${text}${pdi}`),
  );
  const fromLeft = fc.oneof(
    figures,
    figures.map((text) => `${lrm}${text}${lrm}`),
    figures.map((text) => `${lri}${text}${pdi}`),
  );
  const line = fc.array(fc.oneof(words, marked, figures), { minLength: 1, maxLength: 4 }).map((all) => all.join(" "));
  /** The lines of one unit: at least one has a letter from the right, and others can have none. */
  const unit = fc
    .tuple(fc.array(line, { maxLength: 2 }), words, fc.array(line, { maxLength: 2 }))
    .map(([above, word, below]) => [...above, `${word} ${above.length}`, ...below]);
  const constructs: ((lines: string[], other: string) => string)[] = [
    (lines) => lines.join("\n"),
    (lines) => lines.join("\\\n"),
    (lines) => lines.join("<br>\n"),
    (lines) => `> ${lines.join("\n> ")}`,
    (lines) => `- ${lines.join("\n  ")}`,
    (lines, other) => `1. ${other}\n2. ${lines.join("\n   ")}\n   - ${other}`,
    (lines, other) => `- ${other}\n  - ${lines.join("\n    ")}`,
    (lines) => `- ${lines[0]}\n\n  ${lines.slice(1).join("\n  ")}`,
    (lines) => `## ${lines.join(" ")}`,
    (lines) => `${lines.join("\n")}\n===`,
    (lines, other) => `| ${lines.join(" ")} | ${other} |\n|---|---|\n| ${other} | ${lines.join("<br>")} |`,
    (lines, other) => `<table>\n<tr>\n<td>${other}</td>\n<td>\n${lines.join("\n")}\n</td>\n</tr>\n</table>`,
    (lines) => `> [!WARNING]\n> ${lines.join("\n> ")}`,
    (lines) => `**${lines.join("\n")}** [${lines.join("\n")}](/a)`,
  ];

  it("has the same order before and after cleaning, in any block and page", () => {
    let lost = 0;
    const check = (construct: (typeof constructs)[number], lines: string[], other: string, dir: "ltr" | "rtl") => {
      const source = `Begin.\n\n${construct(lines, other)}\n`;
      const clean = cleanMarkdown(source);
      const after = blocksOf(renderHtml(clean));
      expect(after.map((text) => seen(text, dir))).toEqual(blocksOf(renderHtml(source)).map((text) => seen(text, dir)));
      if (clean !== source) lost += 1;
      expect(cleanMarkdown(clean)).toBe(clean);
      const stored = formatMarkdown(source);
      expect(blocksOf(renderHtml(stored)).map((text) => seen(text, dir))).toEqual(after.map((text) => seen(text, dir)));
      expect(formatMarkdown(stored)).toBe(stored);
    };
    fc.assert(fc.property(fc.constantFrom(...constructs), unit, fromLeft, fc.constantFrom("ltr", "rtl"), check), {
      numRuns: 200,
    });
    expect(lost).toBeGreaterThan(5);
  });

  it.each([
    ["a paragraph of several lines", `טווח:\n${lrm}10–20 °C${lrm}\nבדוק.\n`],
    ["a list item with a list", `- ${lrm}10–20 °C\n  - טווח\n`],
    ["a cell of several lines", `<table>\n<tr>\n<td>\nטווח\n${lrm}10–20${lrm}\n</td>\n</tr>\n</table>\n`],
    ["a line that only a mark keeps from being a list", `בדוק\n${rlm}- 10–20\n`],
    ["Arabic figures alone", `${lrm}٥–٧ °C${lrm}\n`],
  ])("has its marks in %s, however it comes in", (_, text) => {
    expect(cleanMarkdown(text)).toBe(text);
    expect(cleaningNotes(text)).toEqual([]);
    const { markdown, notes } = canonicalBody({ title: "T", markdown: text });
    expect([markdown.match(marks), notes]).toEqual([text.match(marks), []]);
    const { body, report } = readMarkdownDocument({ path: "a.md", text: `---\ntitle: T\n---\n\n${text}` });
    expect(body).toBe(markdown);
    expect(report.map(({ code }) => code)).not.toContain("control-characters");
  });
});

describe("isolates of text from the right", () => {
  it("are in the page, the PDF and the Word file, also where one begins and ends in other nodes", () => {
    const text = `טווח ${lri}**10**–20 °C${pdi} ו־ ${lri}3/4${pdi}\n`;
    const shown = `טווח ${lri}10–20 °C${pdi} ו־ ${lri}3/4${pdi}`;
    expect(blocksOf(renderHtml(text))).toEqual([shown]);
    const [block] = readExportBlocks(renderHtml(text), true);
    expect(block?.type === "paragraph" && plainTextOfInlines(block.children)).toBe(shown);
  });
});

describe("marks in other text", () => {
  it.each([
    ["a paragraph beside one from the right", `חמם\n\nTurn ${rlm}1 → 2${rlm}\n`, "חמם\n\nTurn 1 → 2\n", [3]],
    ["a cell beside one from the right", `| חמם | ${rlm}1 → 2 |\n|---|---|\n`, "| חמם | 1 → 2 |\n|---|---|\n", [1]],
    ["a list item beside one from the right", `- חמם\n- ${rlm}1 → 2\n`, "- חמם\n- 1 → 2\n", [2]],
    ["code, by its lines", `\`\`\`\nחמם${rlm}\n${rlm}1 → 2\n\`\`\`\n`, `\`\`\`\nחמם${rlm}\n1 → 2\n\`\`\`\n`, [3]],
    [
      "a text whose letters from the right are hidden",
      `Turn ${rlm}1 → 2<!-- חמם -->\n`,
      "Turn 1 → 2<!-- חמם -->\n",
      [1],
    ],
    ["text that the removal of a mark makes code", `${rlm}\`\`\`\n\nחמם\n${rlm}1\n`, "```\n\nחמם\n1\n", [1, 4]],
  ])("are dropped in %s, each with a note", (_, text, expected, lines) => {
    expect(cleanMarkdown(text)).toBe(expected);
    expect(cleaningNotes(text).map(({ line, sentence }) => [line, sentence.text])).toEqual(
      lines.map((line) => [line, "the control character U+200F was dropped"]),
    );
  });

  it("are dropped at once, in any text: cleaning it again changes nothing", () => {
    const shown = "חמם,a,1, ,|,<!--,-->,<div>,</div>\n,`,[^1],&rlm;,\\".split(",");
    const blocks = "\n,\n\n,    ,\n\n```\n,\n~~~\n,\n- ,\n> ,\n|-|-|\n,\n# ,\n===\n,\n[a]: /b,\n\n[^1]: ".split(",");
    const hidden = [`\n${rlm}\`\`\`\n`, `\n${lrm}<!--`, `-${rlm}->`, `\n${rlm}`, `\n${rlm}- `, `\n-${rlm} `];
    const piece = fc.constantFrom(rlm, lrm, rli, pdi, alm, ...shown, ...blocks, ...hidden);
    const check = (pieces: string[]) => {
      const text = pieces.join("");
      const clean = cleanMarkdown(text);
      expect(cleanMarkdown(clean)).toBe(clean);
      const stored = formatMarkdown(text);
      expect(formatMarkdown(stored)).toBe(stored);
    };
    fc.assert(fc.property(fc.array(piece, { maxLength: 24 }), check), { numRuns: 1_000 });
  });
});
