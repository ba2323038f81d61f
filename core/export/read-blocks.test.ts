import { describe, expect, it } from "vitest";
import { imageNamesIn, plainTextOfInlines, type ExportBlock } from "./blocks.ts";
import { cleanText, isRightToLeft } from "../text/clean-text.ts";
import { renderHtml } from "../markdown/render.ts";
import { readExportBlocks } from "./read-blocks.ts";
import { blocksForTypesetting } from "./settable.ts";

const blocksOf = (markdown: string) => readExportBlocks(renderHtml(markdown));
const sha = "ab".repeat(32);
const text = (value: string) => ({ type: "text", text: value });
const paragraph = (...children: unknown[]) => ({ type: "paragraph", rtl: false, children });

describe("reading blocks", () => {
  it("numbers notes in the order of the text, also above a nested list", () => {
    const [list] = blocksOf("- a[^a]\n  - b[^b] again[^a]\n\n[^a]: A\n[^b]: B\n");
    const numbers = [...JSON.stringify(list).matchAll(/"type":"(footnote(?:-again)?)","number":(\d)/g)];
    expect(numbers.map(([, type, number]) => [type, number])).toEqual([
      ["footnote", "1"],
      ["footnote", "2"],
      ["footnote-again", "1"],
    ]);
  });

  it("puts the words of a note that only another note marks in brackets, as Word has no notes in notes", () => {
    const markdown = "a[^1] b[^3]\n\n[^1]: one[^2] and[^3] and[^1]\n[^2]: two **x**[^2]\n\n    more\n[^3]: three\n";
    const [line] = blocksOf(markdown);
    const again = (number: number) => ({ type: "footnote-again", number });
    const note = (number: number, ...children: unknown[]) => ({ type: "footnote", number, children });
    const bold = { type: "strong", children: [text("x")] };
    const inner = [
      text(" ("),
      text("two "),
      bold,
      { type: "break" },
      text(" "),
      { type: "break" },
      text("more"),
      text(")"),
    ];
    const inThree = [text(" ("), text("three"), text(")")];
    expect(line).toMatchObject(
      paragraph(
        text("a"),
        note(1, paragraph(text("one"), ...inner, text(" and"), ...inThree, text(" and"), again(1))),
        text(" b"),
        note(2, paragraph(text("three"))),
      ),
    );
    expect(blocksOf(markdown)).toHaveLength(1);
  });

  it("keeps boxes of raw HTML as letters, and the box of a task as its own", () => {
    const html =
      "<table><tr><td><input type=checkbox checked> done</td></tr></table>\n\n- [x] a <input type=checkbox>\n- b <input type=checkbox checked> c\n";
    expect(blocksOf(html)).toMatchObject([
      { rows: [{ cells: [{ children: [paragraph(text("☑"), text(" done"))] }] }] },
      {
        items: [
          { checked: true, children: [paragraph(text("a "), text("☐"))] },
          { checked: null, children: [paragraph(text("b "), text("☑"), text(" c"))] },
        ],
      },
    ]);
  });

  it.each([
    "<p><code>a@b</code></p>",
    "<pre>a@b</pre>",
    "<pre><code>a@b</code></pre>",
    "<h2><code>a@b</code></h2>",
    "<ul><li><code>@b</code></li></ul>",
    "<p><kbd>a@b</kbd></p>",
    '<p><a href="https://a.example">a@b</a></p>',
    "<h2>a@b</h2>",
    "<table><tr><th>a@b</th></tr></table>",
    "<table><tr><td>@</td></tr></table>",
    "<table><caption>a@b</caption><tr><td>c</td></tr></table>",
    "<figure><figcaption>a@b</figcaption></figure>",
    "<details><summary>a@b</summary>c</details>",
    '<div class="alert alert-danger"><p class=alert-title>Danger@</p>c</div>',
  ])("keeps boxes, images, breaks and rules of raw HTML in %s", (place) => {
    const setOf = (element: string) => JSON.stringify(blocksOf(place.replace("@", element)));
    expect(setOf("<input type=checkbox checked>")).toContain("☑");
    expect(setOf("<input type=checkbox>")).toContain("☐");
    expect(setOf(`<img src="/api/assets/${sha}.png" alt=Pump>`)).toContain(`"${sha}.png","alt":"Pump"`);
    expect(setOf('<img src="https://a.example/x.png" alt=Pump>')).toContain("Pump");
    if (place.includes("a@b")) expect(setOf("<br>")).toMatch(/"break"|a\\nb/);
    if (!place.includes("<p>")) expect(setOf("<hr>")).toContain('"rule"');
  });

  it("keeps marks, breaks, links that lead somewhere and pictures of our own", () => {
    const markdown = `**b *i*** ~~d~~ \`c\` H<sub>2</sub>O\\\nx [a](https://a.example) [js](javascript:x) [ftp](ftp://h/x) [to](../x.md) ![p](/api/assets/${sha}.png)`;
    expect(blocksOf(markdown)).toEqual([
      paragraph(
        { type: "strong", children: [text("b "), { type: "em", children: [text("i")] }] },
        text(" "),
        { type: "del", children: [text("d")] },
        text(" "),
        { type: "code", text: "c" },
        text(" H"),
        { type: "sub", children: [text("2")] },
        text("O"),
        { type: "break" },
        // the line end after a break is white space
        text(" x "),
        { type: "link", url: "https://a.example", children: [text("a")] },
        text(" "),
        text("js"),
        text(" "),
        { type: "link", url: "ftp://h/x", children: [text("ftp")] },
        text(" "),
        text("to"),
        text(" "),
        { type: "image", asset: `${sha}.png`, alt: "p" },
      ),
    ]);
    expect(imageNamesIn(blocksOf(markdown))).toEqual([`${sha}.png`]);
    const [sized] = blocksOf(`![Valve|300](/api/assets/${sha}.png)`);
    expect(sized).toMatchObject({ children: [{ type: "image", alt: "Valve", width: 300 }] });
  });

  it("counts lists from where they begin, and tells done tasks from open ones", () => {
    const [list, tasks] = blocksOf("3. a\n   - b\n\n4. c\n\n<!-- -->\n\n- [ ] d\n- [x] e\n- f");
    expect(list).toMatchObject({ type: "list", ordered: true, start: 3, tight: false });
    expect(list).toMatchObject({ items: [{ children: [paragraph(text("a")), { type: "list", ordered: false }] }, {}] });
    expect(tasks).toMatchObject({ items: [{ checked: false }, { checked: true }, { checked: null }], tight: true });
  });

  it("puts a note where it is named first, and only its number later; one that names itself ends", () => {
    const blocks = blocksOf("a[^x] b[^x]\n\n[^x]: Note[^x] here.\n");
    expect(blocks).toEqual([
      paragraph(
        text("a"),
        {
          type: "footnote",
          number: 1,
          children: [paragraph(text("Note"), { type: "footnote-again", number: 1 }, text(" here."))],
        },
        text(" b"),
        { type: "footnote-again", number: 1 },
      ),
    ]);
  });

  it("reads alerts, quotes, code, details and rules", () => {
    const markdown =
      "> [!WARNING]\n> Hot\n\n> Said\n\n```sh\na  b\n\nc\n```\n\n<details><summary>More</summary>\n\nHidden\n\n</details>\n\n---\n";
    expect(blocksOf(markdown)).toEqual([
      { type: "alert", kind: "warning", title: "Warning", children: [paragraph(text("Hot"))] },
      { type: "quote", children: [paragraph(text("Said"))] },
      { type: "code", lang: "sh", text: "a  b\n\nc" },
      { type: "details", summary: [text("More")], children: [paragraph(text("Hidden"))] },
      { type: "rule" },
    ]);
  });

  it("gives a column of long text more room than one of numbers, and no column none", () => {
    const long = "a sentence that goes on for quite a while so that it needs the room ".repeat(3);
    const [table] = blocksOf(`| No | Text |\n|---|---|\n| 1 | ${long} |\n`) as [
      Extract<ExportBlock, { type: "table" }>,
    ];
    const [number = 0, words = 0] = table.shares;
    expect(number).toBeGreaterThan(0.04);
    expect(words).toBeGreaterThan(0.8);
    expect(table.narrow).toBe(false);
  });
});

describe("settable blocks", () => {
  it("lose frames beyond a depth, never their text", () => {
    const deep = Array.from({ length: 30 }, (_, level) => `${"  ".repeat(level)}- level ${level}`).join("\n");
    const quotes = `${"> ".repeat(40)}quoted`;
    const blocks = blocksForTypesetting(blocksOf(`${deep}\n\n${quotes}\n`));
    const json = JSON.stringify(blocks);
    for (let level = 0; level < 30; level += 1) expect(json).toContain(`level ${level}"`);
    expect(json).toContain("quoted");
    expect(json.split('"type":"list"').length - 1).toBeLessThan(12);
    expect(json.split('"type":"quote"').length - 1).toBeLessThan(12);
  });

  it("links only to headings that have a place", () => {
    const [link, dead] = blocksForTypesetting(blocksOf("[in](#a)\n\n[out](#b)\n\n# A\n"));
    expect(link).toMatchObject({ children: [{ type: "link", url: "#user-content-a" }] });
    expect(dead).toEqual(paragraph(text("out")));
  });
});

describe("clean text", () => {
  it("has no control characters, halves of characters or marks that turn the order", () => {
    expect(cleanText("a\u0000b\u001b[31m\u202ec\ud800d\ufeffe\u0085f\tg\nh\u{1f600}")).toBe(
      "ab[31mcde f\tg\nh\u{1f600}",
    );
  });

  it("knows what is read from the right by its first letter", () => {
    expect(["1. \u05e9\u05dc", "\u0645 a", "a \u05e9", "", "123"].map(isRightToLeft)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

it("plain text keeps line ends and words of pictures", () => {
  const [one] = blocksOf(`a\\\n![p](/api/assets/${sha}.png)`);
  expect(one?.type === "paragraph" && plainTextOfInlines(one.children)).toBe("a\n p");
});
