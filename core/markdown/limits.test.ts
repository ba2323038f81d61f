import { describe, expect, it } from "vitest";
import { assertParsable, markdownLimits } from "./limits.ts";

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
