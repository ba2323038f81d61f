import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertParsable, markdownLimits } from "./limits.ts";
import { eachNode, parseMarkdown } from "./parse.ts";

const fill = (part: string) => part.repeat(Math.floor(800_000 / part.length));

describe("the guard before the parser", () => {
  it.each([
    ["50,000 headings", "# a\n".repeat(50_000), "headings"],
    ["headings with single carriage returns", "# a\r".repeat(50_000), "headings"],
    ["headings after what looks like a fence", `<!--\n\n\`\`\`\n-->\n\n${"# a\n".repeat(60_000)}`, "headings"],
    ["underlined headings", fill("a\n-\n"), "lists, quotes"],
    ["paragraphs", fill("a\n\n"), "headings"],
    ["list items", fill("- a\n"), "list items"],
    ["nested lists", fill("- a\n  - b\n"), "lists"],
    ["many lists in each line", fill(`${"- ".repeat(15)}a\n`), "lists"],
    ["quotes", fill("> a\n\n"), "quotes"],
    ["quotes 21 deep", `${">".repeat(21)} a\n`, "nested too deeply"],
    ["footnotes", fill("a[^1]\n\n[^1]: b\n\n"), "footnotes"],
    ["link definitions", fill("[a]: b\n\n"), "headings"],
    ["table rows", `|a|b|\n|-|-|\n${fill("|a|b|\n")}`, "headings"],
    ["table cells", `${"|a".repeat(500)}|\n${"|-".repeat(500)}|\n${fill(`${"|a".repeat(500)}|\n`)}`, "cells"],
    ["emphasis over many paragraphs", fill(`${"*a_ ".repeat(1_900)}\n\n`), "emphasis"],
    ["emphasis in a paragraph with pipes", fill(`${"*a_ ".repeat(400)}|\n`), "emphasis"],
    ["links over many paragraphs", fill(`${"[a](b) ".repeat(900)}\n\n`), "brackets"],
    ["HTML blocks", fill("<p>\n\n"), "headings"],
  ])("refuses %s", (_, text, why) => {
    expect(() => assertParsable(text)).toThrow(expect.objectContaining({ code: "unprocessable" }));
    expect(() => assertParsable(text)).toThrow(new RegExp(why));
  });

  const deep = ">".repeat(30);
  it.each([
    ["after a fence that HTML holds", `<div>\n\`\`\`\n${deep} a\n`],
    ["after a fence that a comment holds", `<!--\n\`\`\`\n-->\n${deep} a\n`],
    ["after a fence that HTML begins and a blank line ends", `a\n<x>\n\`\`\`\n\n\`\`\`\n${deep} a\n`],
    ["after a fence that is text of a paragraph", `a\n      \`\`\`\n  ${deep} a\n`],
    ["after a fence in a list that ended", `- a\n# h\n     \`\`\`\n  ${deep} a\n`],
    ["after a fence beside a number that is text", `a\n2. b\n     \`\`\`\n   ${deep} a\n`],
    ["after a fence that an outer line closed", `   \`\`\`\nx\n\`\`\`\n${deep} a\n`],
    ["after a fence that a line with another indent closed", `  \`\`\`\n   \`\`\`\n  ${deep} a\n`],
    ["after a fence whose quote ended", `> \`\`\`\n${deep} a\n`],
    ["in lists on many lines", `${Array.from({ length: 21 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")}\n`],
    ["in lists in a quote", `${Array.from({ length: 21 }, (_, depth) => `> ${"  ".repeat(depth)}- a`).join("\n")}\n`],
    ["in lists with tabs", `${Array.from({ length: 21 }, (_, depth) => `${"\t".repeat(depth)}- a`).join("\n")}\n`],
  ])("refuses quotes and lists 21 deep %s", (_, text) => {
    expect(() => assertParsable(text)).toThrow(/nested too deeply/);
  });

  it.each([
    [
      "a sum at the right of a fence",
      `\`\`\`sql\n${`SELECT a${" ".repeat(40)}\n${" ".repeat(43)}+ 200\n`.repeat(30)}\`\`\`\n`,
    ],
    [
      "a sum at the right of a fence in a step",
      `1. a\n\n   \`\`\`sql\n${`   ${" ".repeat(43)}+ 200\n`.repeat(30)}   \`\`\`\n\n2. b\n`,
    ],
    ["lines of dashes in code", `\`\`\`\n${"- ".repeat(40)}\n${deep}\n\`\`\`\n`],
    ["lines of dashes in code in a step", `- a\n\n  ~~~\n  ${"- ".repeat(40)}-\n  ${deep}\n  ~~~\n\n- b\n`],
    ["code in a quote", `> \`\`\`\n> ${deep}\n> \`\`\`\n`],
    ["code after a break of HTML", `a<br>\nb\n\n<br>\n\n\`\`\`\n${deep}\n\`\`\`\n`],
    ["a long rule", `a\n\n${"- ".repeat(40)}\n\n> ${"* ".repeat(40)}\n`],
    ["a list item far to the right", `- a\n\n${" ".repeat(60)}- b\n`],
    ["20 lists", `${Array.from({ length: 20 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")}\n`],
  ])("lets %s pass", (_, text) => {
    expect(() => assertParsable(text)).not.toThrow();
  });

  it("reads a quote without words below HTML as part of the HTML", () => {
    expect(() => assertParsable(`</pre>\n> \n~~~\n\n${deep} end\n`)).toThrow(/nested too deeply/);
    expect(() => assertParsable(`> <div>\n>\n> ~~~\n> ${deep}\n> ~~~\n`)).not.toThrow();
  });

  it("finds every depth that the parser finds", () => {
    const piece = fc.constantFrom(
      ..."> |- |1. |2. |+ |* | |  |    |\t|a|b|```|~~~|````|<div>|<x>|<!--|-->|<pre>|</pre>|# h|---|- - -|\n|\n|\n|\n\n".split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = `${pieces.join("")}\n`;
        for (const indent of ["", " ", "  ", "   ", "     "]) {
          const deepened = `${text}${indent}${deep} end\n`;
          let depth = 0;
          eachNode(parseMarkdown(deepened), (node, parents) => {
            if (node.type === "paragraph")
              depth = Math.max(depth, parents.filter(({ type }) => /quote|list$/.test(type)).length);
          });
          if (depth > markdownLimits.nesting)
            expect(() => assertParsable(deepened), deepened).toThrow(/nested too deeply/);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  const section = [
    "## Step of the work",
    "",
    "Read **all** of the [sheet](https://example.org/sheet) first, then ask the `lead` of your shift what has changed.",
    "",
    "- [ ] Close the valve and write down the time",
    "  - Use the form of the day",
    "- [ ] Tell the control room what you have seen",
    "",
    "| Reading | Limit | Action |",
    "| --- | --- | --- |",
    "| Pressure of the line | 4 bar | Stop the pump and call the lead |",
    "",
    "> Never open a line that is under pressure.",
    "",
    "",
  ].join("\n");

  it("lets 1 MiB of a real procedure pass", () => {
    const text = section.repeat(Math.floor(markdownLimits.bytes / section.length));
    expect(() => assertParsable(text)).not.toThrow();
  });

  it.each([
    ["a checklist of 20,000 steps", "- [ ] do this\n".repeat(20_000)],
    ["a log of 15,000 lines", `\`\`\`\n${"- 12:00 [a] |b|\n".repeat(15_000)}\`\`\`\n`],
    ["a table of 3,000 rows with bold words", `|a|b|\n|-|-|\n${"| **a** | `b` |\n".repeat(3_000)}`],
  ])("lets %s pass", (_, text) => {
    expect(() => assertParsable(text)).not.toThrow();
  });
});
