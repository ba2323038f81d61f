import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "./parse.ts";
import { plainText } from "./plain-text.ts";
import { formatMarkdown } from "./format.ts";
import { linkMentions, mentionedNumbers, mostMentions } from "./sop-mentions.ts";

const numbers = new Set(["SOP-0012", "HR-2026-007"]);
const linked = (text: string, before: string[] = [], unlinked = true) =>
  linkMentions(text, before, numbers, unlinked).markdown;
const mentionsIn = (text: string) => linkMentions(text, [], new Set(mentionedNumbers(text, [])), false).mentions;
const found = (text: string) => mentionsIn(text).map(({ number }) => number);
const link = "[SOP-0012](/sop/SOP-0012)";

describe("numbers of SOPs in running text", () => {
  it.each([
    ["see SOP-0012.", ["SOP-0012"]],
    ["(SOP-12), “SOP-0012”; SOP-0012: do it", ["SOP-12", "SOP-0012", "SOP-0012"]],
    ["- **SOP-0012** and _HR-2026-007_\n", ["SOP-0012", "HR-2026-007"]],
    ["参见SOP-0012。SOP-0013를 보세요", ["SOP-0012", "SOP-0013"]],
    ["| a |\n| --- |\n| SOP-0012 |\n", ["SOP-0012"]],
    ["> a[^1]\n\n[^1]: see SOP-0012\n", ["SOP-0012"]],
    ["one<br>SOP-0012", ["SOP-0012"]],
  ])("%j has %j", (text, numbersFound) => expect(found(text)).toEqual(numbersFound));

  it.each([
    "XSOP-0012 SOP-0012x ÄSOP-0012 1SOP-0012 SOP-0123456789 aSOP-0012 _SOP-0012_x",
    "SOP-0012-reset.md SOP-0012.pdf SOP-0012/a files/SOP-0012 a@SOP-0012 #SOP-0012 $SOP-0012 SOP-0012_a",
    "sop-0012 SOP-00x 1.5 2026-01-02 10.1.2-3",
    "https://x.example/SOP-0012 <https://x.example/?a=SOP-0012> www.x.example/SOP-0012",
    "`SOP-0012`\n\n    SOP-0012\n\n```\nSOP-0012\n```\n",
    "## SOP-0012\n\nSOP-0012\n===\n",
    "[see SOP-0012](https://x.example) [SOP-0012][r] [SOP-0012] ![SOP-0012](a.png)\n\n[r]: /sop/SOP-0012 'SOP-0012'\n",
    '<a href="x">SOP-0012</a> and **SOP-0012**\n\n<div>\nSOP-0012\n</div>\n\n<!-- SOP-0012 -->\n',
    "[[SOP-0012]] {{ ref SOP-0012 }} {SOP-0012} !SOP-0012 ^SOP-0012",
  ])("%j has none", (text) => expect(found(text).filter((number) => /^SOP-\d/.test(number))).toEqual([]));

  it("have offset and line", () => {
    const text = "a\n\nb\nsee **SOP-0012**\n";
    expect(mentionsIn(text)).toEqual([{ number: "SOP-0012", start: text.indexOf("SOP"), line: 4 }]);
  });

  it("are looked up once each, and only in lines that are new", () => {
    expect(mentionedNumbers("SOP-0012 SOP-0012 _HR-2026-007_\n", [])).toEqual([...numbers]);
    expect(mentionedNumbers("SOP-12\nmore\n", ["SOP-12\n"])).toEqual([]);
    expect(mentionedNumbers("Nothing at all\n", [])).toEqual([]);
    const many = Array.from({ length: mostMentions + 5 }, (_, index) => `SOP-${index + 1}`).join(" ");
    expect(mentionedNumbers(many, [])).toHaveLength(mostMentions);
    // no text takes long
    for (const text of ["A-1.", "A", "A-1 ", "[](", "[SOP-1", "A."]) mentionedNumbers(text.repeat(100_000), []);
  });
});

describe("mentions become links", () => {
  it("where the SOP is known by this number", () => {
    expect(linked("see SOP-0012, SOP-12 and SOP-0013\n")).toBe(`see ${link}, SOP-12 and SOP-0013\n`);
    expect(linked("**HR-2026-007**\n")).toBe("**[HR-2026-007](/sop/HR-2026-007)**\n");
  });

  it("but not where an earlier text has them as plain text", () => {
    const before = ["Do SOP-0012\n\nand more\n"];
    expect(linked("Do SOP-0012\n\nand more\n", before)).toBe("Do SOP-0012\n\nand more\n");
    expect(linked("Do SOP-0012 now\n\nand more\n", before)).toBe("Do SOP-0012 now\n\nand more\n");
    expect(linked("Do SOP-0012 or SOP-0012\n", before)).toBe(`Do SOP-0012 or ${link}\n`);
    expect(linked("Do SOP-0012\n\nand SOP-0012\n", before)).toBe(`Do SOP-0012\n\nand ${link}\n`);
  });

  it("but not where their author unlinked them", () => {
    const before = [`Do ${link}\n\nand more\n`];
    expect(linked("Do SOP-0012\n\nand more\n", before)).toBe("Do SOP-0012\n\nand more\n");
    expect(linked(`Do ${link} now\n\nand SOP-0012\n`, before)).toBe(`Do ${link} now\n\nand ${link}\n`);
    expect(linked(`${link}\nSOP-0012\n`, [`${link}\n${link}\n`])).toBe(`${link}\nSOP-0012\n`);
    // a file that never had the link
    expect(linked("Do SOP-0012\n\nand more\n", before, false)).toBe(`Do ${link}\n\nand more\n`);
  });

  it("and a second time nothing changes, in any text", () => {
    const piece = fc.constantFrom(
      "SOP-0012",
      "SOP-12",
      "HR-2026-007",
      "SOP-0099",
      link,
      "`SOP-0012`",
      "<a>",
      "[",
      "](x)",
      "!",
      "\\",
      "text",
      "\n\n",
      "\n",
      "- ",
      "> ",
      "## ",
      "**",
      "| ",
      "x",
      " ",
      ":",
      "{{",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = formatMarkdown(pieces.join(""));
        const once = linkMentions(text, [], numbers, true);
        expect(formatMarkdown(once.markdown)).toBe(once.markdown);
        const plain = found(once.markdown).filter((number) => numbers.has(number));
        // a number stays plain only where its link would turn signs beside it into marks
        if (plain.length > 0) expect(text).toContain("**");
        else expect(plainText(parseMarkdown(once.markdown))).toBe(plainText(parseMarkdown(text)));
        expect(once.markdown.replace(/\[([A-Z0-9-]+)\]\(\/sop\/[A-Z0-9-]+\)/g, "$1")).toBe(
          text.replace(/\[([A-Z0-9-]+)\]\(\/sop\/[A-Z0-9-]+\)/g, "$1"),
        );
        expect(linked(once.markdown, [once.markdown])).toBe(once.markdown);
        // a file with the plain numbers comes again
        expect(linked(text, [once.markdown], false)).toBe(once.markdown);
        // the author unlinked all of them
        expect(linked(text, [once.markdown], true)).toBe(text);
      }),
      { numRuns: 500, seed: 33 },
    );
  });
});
