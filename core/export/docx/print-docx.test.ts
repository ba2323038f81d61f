import type { Element, Root } from "hast";
import { strFromU8, unzipSync } from "fflate";
import mammoth from "mammoth";
import { toString as textOf } from "mdast-util-to-string";
import { describe, expect, it } from "vitest";
import type { ExportDocument } from "../document.ts";
import { parseFrontMatter, splitFrontMatter } from "../../markdown/front-matter.ts";
import { parseHtml } from "../../markdown/html-tree.ts";
import { renderHtml } from "../../markdown/render.ts";
import { createReport } from "../../import/markdown/report.ts";
import { readDocx } from "../../import/docx/docx-file.ts";
import { createDocx } from "./print-docx.ts";

const pixel = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);
const sha = "ab".repeat(32);

function aDocument(markdown: string, more: Partial<ExportDocument> = {}): ExportDocument {
  return {
    number: "SOP-0042",
    version: 7,
    workingCopy: false,
    state: "published",
    title: "Lock a machine",
    description: "How to lock it.",
    markdown,
    lang: "en",
    category: "Safety",
    company: "Northwind",
    owner: "Grace Hopper",
    writtenBy: { name: "Ada Lovelace", at: "2026-10-01T10:00:00.000Z" },
    changeClass: "major",
    approvals: [{ name: "Alan Turing", at: "2026-10-03T10:00:00.000Z" }],
    effective: "2026-10-05",
    reviewBy: "2027-10-05",
    contentHash: "ab12".repeat(16),
    tags: ["safety"],
    at: "2026-10-01T10:00:00.000Z",
    ...more,
  };
}

const print = (document: ExportDocument, shown: Record<string, Uint8Array>) =>
  createDocx(document, renderHtml(document.markdown), shown);
const images = { [`${sha}.png`]: pixel };
const partsOf = (bytes: Uint8Array) => {
  const files = unzipSync(bytes);
  return (name: string) => strFromU8(files[name] ?? new Uint8Array());
};

/** What another program reads in the file, after its control block. */
async function reread(markdown: string): Promise<Root> {
  const { bytes } = await print(aDocument(markdown), images);
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) } as never);
  const tree = parseHtml(value);
  const control = tree.children.findIndex((node) => node.type === "element" && node.tagName === "table");
  return { ...tree, children: tree.children.slice(control + 1) };
}

function all(root: Root | Element, names: string): Element[] {
  return root.children.flatMap((node) => {
    if (node.type !== "element") return [];
    return [...(names.split(" ").includes(node.tagName) ? [node] : []), ...all(node, names)];
  });
}

const texts = (root: Root | Element, names: string) => all(root, names).map((node) => textOf(node));

describe("a Word file that is read again", () => {
  it("has the same headings, paragraphs, emphasis and links", async () => {
    const tree = await reread(
      "## One\n\nText **bold** *slanted* ~~gone~~ H<sub>2</sub>O m<sup>2</sup> **both *of* them**\n\n### Two\n\n[site](https://a.example/x?a=1&b=2) and [up](#one)\n\n###### Six\n\nLast\n",
    );
    expect(all(tree, "h1 h2 h3 h4 h5 h6").map((node) => [node.tagName, textOf(node)])).toEqual([
      ["h2", "One"],
      ["h3", "Two"],
      ["h6", "Six"],
    ]);
    expect(texts(tree, "p")).toEqual(["Text bold slanted gone H2O m2 both of them", "site and up", "Last"]);
    expect(texts(tree, "strong")).toEqual(["bold", "both of them"]);
    expect([texts(tree, "em"), texts(tree, "s"), texts(tree, "sub"), texts(tree, "sup")]).toEqual([
      ["slanted", "of"],
      ["gone"],
      ["2"],
      ["2"],
    ]);
    const hrefs = all(tree, "a").flatMap(({ properties: { href } }) => (href === undefined ? [] : [href]));
    expect(hrefs).toEqual(["https://a.example/x?a=1&b=2", "#place_1"]);
  });

  it("has the captions of images, in Word's own style", async () => {
    const image = `![Valve](/api/assets/${"ab".repeat(32)}.png "Turn it slowly")`;
    const { bytes } = await print(aDocument(`${image}\n\nText\n`), {});
    expect(partsOf(bytes)("word/document.xml")).toMatch(/<w:pStyle w:val="Caption"\/>(?:(?!<w:p>)[^])*?Turn it slowly/);
  });

  it("has the same nested lists", async () => {
    const tree = await reread("1. a\n   1. b\n      - c\n        - d\n   2. e\n2. f\n\ntext\n\n- g\n  1. h\n");
    const outline = (node: Element): unknown[] =>
      node.children.flatMap((item) => {
        if (item.type !== "element") return [];
        const inner = item.children.filter((child) => child.type === "element" && /^[ou]l$/.test(child.tagName));
        const own = item.children.filter((child) => !inner.includes(child));
        return [
          [
            textOf({ ...item, children: own }),
            ...inner.map((list) => [(list as Element).tagName, outline(list as Element)]),
          ],
        ];
      });
    const top = tree.children.filter(
      (node): node is Element => node.type === "element" && /^[ou]l$/.test(node.tagName),
    );
    expect(top.map((list) => [list.tagName, outline(list)])).toEqual([
      ["ol", [["a", ["ol", [["b", ["ul", [["c", ["ul", [["d"]]]]]]], ["e"]]]], ["f"]]],
      ["ul", [["g", ["ol", [["h"]]]]]],
    ]);
  });

  it("numbers each list by itself: none goes on with another's numbers, each starts where it says", async () => {
    const { bytes } = await print(aDocument("1. a\n\ntext\n\n1. b\n   1. c\n2. d\n   1. e\n\ntext\n\n5. f\n"), {});
    const part = partsOf(bytes);
    const body = part("word/document.xml");
    const used = [...body.matchAll(/<w:ilvl w:val="(\d)"\/><w:numId w:val="(\d+)"\/>/g)].map(
      ([, level, id]) => `${id}:${level}`,
    );
    expect(new Set(used).size).toBe(5);
    const numbering = part("word/numbering.xml");
    const abstractOf = (id: string) =>
      new RegExp(`<w:num w:numId="${id}"[^>]*><w:abstractNumId w:val="(\\d+)"`).exec(numbering)?.[1];
    const last = used.at(-1)?.split(":")[0] ?? "";
    const abstract = new RegExp(`<w:abstractNum w:abstractNumId="${abstractOf(last)}".*?</w:abstractNum>`).exec(
      numbering,
    )?.[0];
    expect(abstract).toContain('<w:lvl w:ilvl="0" w:tentative="1"><w:start w:val="5"/>');
  });

  it("has the same tables with their heads and spans, and the same pictures", async () => {
    const html =
      '<table><thead><tr><th colspan="2">Wide</th></tr></thead><tbody><tr><td rowspan="2">Tall</td><td>x</td></tr><tr><td>y</td></tr></tbody></table>';
    const tree = await reread(`| A | B |\n|---|--:|\n| 1 | **2** |\n\n${html}\n\n![A dot](/api/assets/${sha}.png)\n`);
    const tables = all(tree, "table").map((table) => all(table, "tr").map((row) => texts(row, "th td")));
    expect(tables).toEqual([
      [
        ["A", "B"],
        ["1", "2"],
      ],
      [["Wide"], ["Tall", "x"], ["y"]],
    ]);
    expect(texts(tree, "th")).toEqual(["A", "B", "Wide"]);
    expect(all(tree, "th td").flatMap(({ properties: { colSpan, rowSpan } }) => [colSpan ?? 0, rowSpan ?? 0])).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0,
    ]);
    const [picture] = all(tree, "img");
    expect(picture?.properties["alt"]).toBe("A dot");
    expect(picture?.properties["src"]).toBe(`data:image/png;base64,${btoa(String.fromCharCode(...pixel))}`);
  });

  it("keeps the words of everything else: alerts, quotes, code, tasks, notes, details", async () => {
    const tree = await reread(
      "> [!DANGER]\n> Hot\n\n> Said\n\n```sh\na  b\nc\n```\n\n- [ ] open\n- [x] done\n\nnoted[^1]\n\n<details><summary>More</summary>\n\nHidden\n\n</details>\n\n[^1]: The note.\n",
    );
    const words = texts(tree, "p li").map((text) => text.trim());
    expect(words).toEqual([
      "⬣ DANGER",
      "Hot",
      "Said",
      "a  bc",
      "open",
      "done",
      "noted[1]",
      "More",
      "Hidden",
      "The note. \u2191",
      "The note. \u2191",
    ]);
    expect(all(tree, "input").map(({ properties: { checked } }) => checked === true)).toEqual([false, true]);
  });
});

it("is imported as the text it was made of: what its first page says of it is no part of that", async () => {
  const markdown = "## Purpose\n\nText with `code`.\n\n```\na  b\nc\n```\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n";
  const { bytes } = await print(aDocument(markdown), {});
  const report = createReport("a.docx");
  const { text } = await readDocx("a.docx", bytes, report);
  const { raw, body } = splitFrontMatter(text);
  expect(parseFrontMatter(raw ?? "")).toMatchObject({ title: "Lock a machine", description: "How to lock it." });
  expect(body).toBe(markdown);
  expect(report.lines.filter(({ code }) => code === "styles")).toEqual([]);
});

describe("a Word file that is imported again", () => {
  const again = async (markdown: string) => {
    const { bytes } = await print(aDocument(markdown), images);
    const report = createReport("a.docx");
    const { text } = await readDocx("a.docx", bytes, report);
    return splitFrontMatter(text).body;
  };

  it.each([
    [
      "boxes, code with its language, tables and images in steps",
      `1. One\n\n   > [!WARNING]\n   > Hot.\n   >\n   > - a\n   >   1. b\n   > - c\n\n   \`\`\`sh\n   a  b\n   \tc\n   \`\`\`\n\n   \`\`\`c++\n   x\n   \`\`\`\n\n2. Two\n\n   | A | B |\n   | --- | --- |\n   | 1 | 2 |\n\n3. Last\n\n   ![Dot](embedded-1.png "Turn it slowly")\n`,
    ],
    ["check lists and further boxes", "- [ ] open ☐ x\n- [x] done\n- plain\n\ntext\n\n4. [x] four\n5. five\n"],
    ["an item without words", "1. a\n\n   -\n   - b\n\n2. c\n"],
    [
      "quotes, lines and details",
      "> Quoted\n>\n> ---\n\n---\n\n<details>\n<summary>More</summary>\n\nHidden\n\n</details>\n\nEnd\n",
    ],
    ["keys and small letters", "Press <kbd>Ctrl</kbd>, H<sub>2</sub>O\n"],
    ["further marks of a note, and its list", "One[^1] and two[^1]\n\n[^1]: The note.\n\n    1. a\n    2. b\n"],
    ["two code blocks in a row", "```\na\n```\n\n```js\nb\n```\n"],
  ])("has %s in their places", async (_, markdown) => {
    expect(await again(markdown.replace("embedded-1.png", `/api/assets/${sha}.png`))).toBe(markdown);
  });
});

describe("a Word file", () => {
  it("says on every page which document it is, and its status", async () => {
    const part = partsOf((await print(aDocument("Text\n", { state: "draft" }), {})).bytes);
    const words = (xml: string) =>
      xml.replace(/<w:instrText[^>]*>([^<]*)<\/w:instrText>/g, "{$1}").replace(/<[^>]+>/g, "");
    const head = words(part("word/header1.xml"));
    for (const text of ["SOP-0042", "Lock a machine", "Version 7", "DRAFT"]) expect(head).toContain(text);
    expect(part("word/header1.xml")).toContain('string="DRAFT"');
    const foot = words(part("word/footer1.xml"));
    expect(foot).toContain("Printed = uncontrolled copy");
    expect(foot).toMatch(/Page \{PAGE\} of \{NUMPAGES\}/);
    expect(words(part("word/document.xml"))).toContain("Alan Turing, 3 Oct 2026");
  });

  it("is the same bytes again", async () => {
    const document = aDocument(
      `# A\n\n[x](https://a.example) ![p](/api/assets/${sha}.png)[^1] [A](#a)\n\n1. b\n\n[^1]: n\n`,
      {
        state: "draft",
      },
    );
    const [one, other] = [await print(document, images), await print(document, images)];
    expect(Buffer.from(one.bytes).equals(Buffer.from(other.bytes))).toBe(true);
    expect(partsOf(one.bytes)("docProps/core.xml")).toContain("2026-10-01T10:00:00Z");
  });

  it("has a picture as wide as its text asks for", async () => {
    const { bytes } = await print(aDocument(`![A dot|96](/api/assets/${sha}.png)\n`), images);
    // 914,400 units to the inch, 96 pixels to the inch
    expect(partsOf(bytes)("word/document.xml")).toContain('<wp:extent cx="914400" cy="914400"/>');
  });

  it("tells of pictures that are missing, and stays a file that can be read with any text", async () => {
    const { bytes, warnings } = await print(
      aDocument("a\u0000\u000b<w:p> & ]]> \u{1f600}\n\n![gone](/api/assets/" + "cd".repeat(32) + ".png)\n", {
        title: 'T\u0001 <b> & "q"',
        lang: "he",
      }),
      {},
    );
    expect(warnings).toEqual([`an image is missing: ${"cd".repeat(32)}.png`]);
    const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) } as never);
    for (const text of ["<w:p> & ]]> \u{1f600}", 'T <b> & "q"', "[Picture: gone]"]) expect(value).toContain(text);
  });
});

it("has no control characters, and keeps the words around them apart", async () => {
  const { bytes } = await print(
    aDocument("Page one.\u000c\n\nTab\u000bhere, bell\u0007, \u2028line\u0085end\n", { title: "Change\u000cthat" }),
    {},
  );
  const part = partsOf(bytes);
  const body = part("word/document.xml");
  for (const text of ["Tab here, bell, line end", "Change that", "Page one."]) expect(body).toContain(`>${text}<`);
  for (const name of Object.keys(unzipSync(bytes))) {
    if (!/\.(?:xml|rels)$/.test(name)) continue;
    const codes = [...part(name)]
      .map((character) => character.charCodeAt(0))
      .filter((code) => code < 32 || (code > 126 && code < 160));
    expect(codes.filter((code) => code !== 9 && code !== 10 && code !== 13)).toEqual([]);
  }
});

describe("widths of columns", () => {
  const widthsOf = async (markdown: string) => {
    const { bytes } = await print(aDocument(markdown), {});
    const tables = partsOf(bytes)("word/document.xml").match(/<w:tblGrid>.*?<\/w:tblGrid>/g) ?? [];
    return tables.slice(1).map((grid) => [...grid.matchAll(/w:w="(\d+)"/g)].map(([, width]) => Number(width)));
  };
  /** Letters of usual width that a column has room for. */
  const roomFor = (width = 0) => (width - 220) / 105;

  it("have room for the longest word of each column while the page has", async () => {
    const [narrow] = await widthsOf(
      "| Batch | Note | Oil |\n| --- | --- | --- |\n| 1 | A longer text that takes more than one line of the page because it has many words | 40 l |\n",
    );
    expect(roomFor(narrow?.[0])).toBeGreaterThan("Batch".length);
    expect(roomFor(narrow?.[2])).toBeGreaterThan("Oil".length);
    const hash = "a1b2c3d4".repeat(16);
    const [wide = []] = await widthsOf(
      `1. x\n\n   | Nr. | Needs | Input | Output | Owner | Link |\n   | - | - | - | - | - | - |\n   | T-1 | certificates | ${hash} | page | ann | ${hash} |\n`,
    );
    expect(wide.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(9_298 - 454);
    for (const [at, word] of ["Nr.", "certificates", "", "Output", "Owner"].entries()) {
      expect(roomFor(wide[at]), word).toBeGreaterThan(word.length);
    }
  });

  it("of a table inside a cell fit into it", async () => {
    const [outer = [], inner = []] = await widthsOf(
      "<table><tr><td>Outer</td><td><table><tr><td>Inner words here</td><td>Many more words of the second inner cell than one line of the page has room for</td></tr></table></td></tr></table>\n",
    );
    expect(inner.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual((outer[1] ?? 0) - 220);
  });
});

it("keeps a measure in order in text from the right, and doesn't bring its marks back", async () => {
  const markdown = "أغلق الصمام عند 80 °C ثم وقع على 7 bar. ו-5 mm\n";
  const { bytes } = await print(aDocument(markdown, { title: "صمام", lang: "ar" }), {});
  const body = partsOf(bytes)("word/document.xml");
  const runs = [...body.matchAll(/<w:r>(<w:rPr>.*?<\/w:rPr>)?<w:t[^>]*>([^<]*)<\/w:t><\/w:r>/g)];
  const rtlOf = (text: string) => runs.find((run) => run[2] === text)?.[1]?.includes("<w:rtl/>") ?? false;
  expect(runs.map((run) => run[2])).toEqual(
    expect.arrayContaining(["\u200E80 °C\u200E", "\u200E7 bar\u200E", "\u200E5 mm\u200E"]),
  );
  expect(rtlOf("\u200E80 °C\u200E")).toBe(false);
  expect(rtlOf("أغلق الصمام عند ")).toBe(true);
  const { text } = await readDocx("a.docx", bytes, createReport("a.docx"));
  expect(splitFrontMatter(text).body).toBe(markdown);
});

it("keeps numbers with their unit in order in title, description and text from the left", async () => {
  const markdown = `דף\n\n1. 5–7 bar\n\n| 5–7 bar |\n|---|\n| −20 °C. |\n\n## 3 mm\n\nדף \`-x 5\`\n\n<details><summary>4 mm</summary>x</details>\n`;
  const { bytes } = await print(aDocument(markdown, { title: "דף 2 bar", description: "עד 80 °C", lang: "he" }), {});
  const part = partsOf(bytes);
  const words = (name: string) => [...part(name).matchAll(/<w:t[^>]*>([^<]*)/g)].map(([, text]) => text).join("");
  for (const text of ["2 bar", "80 °C", "5–7 bar", "−20 °C.", "3 mm", "4 mm", "-x 5"])
    expect(words("word/document.xml"), text).toContain(`\u200E${text}\u200E`);
  expect(words("word/header1.xml")).toContain("\u200E2 bar\u200E");
  const { text } = await readDocx("a.docx", bytes, createReport("a.docx"));
  expect(splitFrontMatter(text).body).not.toContain("\u200E");
});

it("has boxes as text, which each reader of Word files knows", async () => {
  const { bytes } = await print(aDocument("- [ ] open\n- [x] done\n\n4. [x] four\n"), {});
  const body = partsOf(bytes)("word/document.xml");
  expect([...body.matchAll(/<w:t>([☐☒])<\/w:t>/g)].map(([, box]) => box)).toEqual(["☐", "☒", "☒"]);
  expect(body.match(/<w14:checked w14:val="[01]"\/>/g)).toHaveLength(3);
});

it("refuses a table with more columns than Word can open", async () => {
  const columns = (count: number) => `|${" a |".repeat(count)}\n|${"---|".repeat(count)}\n`;
  await expect(print(aDocument(columns(64)), {})).rejects.toMatchObject({
    code: "unprocessable",
    message: expect.stringContaining("64 columns"),
  });
  await expect(print(aDocument(columns(63)), {})).resolves.toMatchObject({ warnings: [] });
});

it("writes numbers that Word can't count to as text", async () => {
  const { bytes } = await print(aDocument("32767. a\n32768. b\n\ntext\n\n7. c\n"), {});
  const lines = partsOf(bytes)("word/document.xml").match(/<w:p>.*?<\/w:p>/g) ?? [];
  const [a, b, c] = ["a", "b", "c"].map((word) => lines.find((line) => line.includes(`>${word}<`)) ?? "");
  expect(a).toMatch(/>32767\.<.*<w:tab\/>.*>a</);
  expect(b).toMatch(/>32768\.<.*<w:tab\/>.*>b</);
  expect([a, b, c].map((line) => line?.includes("<w:numPr>"))).toEqual([false, false, true]);
});

it("names the columns of a table in a note, which Word can't have", async () => {
  const { warnings } = await print(aDocument("a[^1]\n\n[^1]: n\n\n    | A | B |\n    |---|---|\n    | | 2 |\n"), {});
  expect(warnings).toEqual([expect.stringContaining("columns of cells")]);
});

describe("a Word file from the right", () => {
  const markdown = `נוהל זה\n\n1. סגור\n\n> [!NOTE]\n> לחץ\n\n| פריט | ערך |\n|---|--:|\n| לחץ | 0 bar |\n\n\`\`\`\ncode\n\`\`\`\n\nEnglish[^1]\n\n[^1]: הערה\n`;

  it("has every paragraph, table, header and footer from the right, code from the left", async () => {
    const { bytes } = await print(aDocument(markdown, { title: "נוהל", company: "חברה", lang: "he" }), {});
    const part = partsOf(bytes);
    const paragraphs = part("word/document.xml").match(/<w:p>.*?<\/w:p>/g) ?? [];
    const set = (text: string) => paragraphs.find((one) => one.includes(`>${text}<`)) ?? "";
    for (const text of ["SOP-0042", "נוהל", "How to lock it.", "Owner", "סגור", "○ NOTE", "פריט", "0 bar", "English"]) {
      expect(set(text), text).toContain("<w:bidi/>");
    }
    expect(set("code")).toContain('<w:bidi w:val="false"/>');
    expect([set("לחץ"), set("0 bar")].map((one) => one.includes("<w:rtl/>"))).toEqual([true, false]);
    expect(set("○ NOTE")).toContain("<w:right ");
    expect(set("0 bar")).toContain('<w:jc w:val="start"/>');
    expect(part("word/document.xml").match(/<w:tbl>/g)).toHaveLength(2);
    expect(part("word/document.xml").match(/<w:bidiVisual\/>/g)).toHaveLength(2);
    for (const name of ["word/header1.xml", "word/footer1.xml", "word/footnotes.xml"]) {
      expect(part(name), name).toContain("<w:bidi/>");
    }
    expect(part("word/styles.xml")).toContain('w:bidi="he"');
  });

  it("is one only if its text is", async () => {
    const { bytes } = await print(aDocument("English\n\n| a |\n|---|\n| b |\n", { lang: "he" }), {});
    for (const name of ["word/document.xml", "word/header1.xml", "word/footer1.xml"]) {
      expect(partsOf(bytes)(name), name).not.toContain("bidi");
    }
  });
});
