import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { controlBlockRows, type ExportDocument } from "#core/export/document.ts";
import { readExportBlocks } from "#core/export/read-blocks.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { corpusFiles, textOf } from "../../test/corpus.ts";
import { anyMarkdown, stored } from "../../test/export-words.ts";
import { missingBlocks } from "../../test/pdf-order.ts";
import { aPng } from "../../test/images.ts";
import { canReadPdfs, pdfPages, pdfPlaces } from "../../test/pdf-text.ts";
import { typesetterCharacters } from "./fonts.ts";
import { printPdf } from "./print-pdf.ts";
import { openTypesetter, type Typesetter } from "./typst.ts";

const blocksOf = (markdown: string) => readExportBlocks(renderHtml(markdown));
let typesetter: Typesetter;
beforeAll(async () => {
  typesetter = await openTypesetter();
});

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

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

function print(document: ExportDocument, images: Record<string, Uint8Array> = {}, standard: "a-2b" | null = null) {
  const html = renderHtml(document.markdown);
  return printPdf(typesetter, { format: "pdf", document, html, standard }, images);
}

const everyPage = ["SOP-0042", "Lock a machine", "Version 7", "PUBLISHED", "Printed = uncontrolled copy", "Northwind"];

it.skipIf(!canReadPdfs)("a PDF has the address of the SOP, and its QR code, if the server has one", () => {
  const address = "https://sop.example.org/sop/SOP-0042";
  const [pdf, archived] = [null, "a-2b" as const].map((standard) => print(aDocument("Text"), {}, standard).bytes);
  const withAddress = print(aDocument("Text", { address }), {}, "a-2b");
  expect(withAddress.warnings).toEqual([]);
  expect(pdfPages(withAddress.bytes, "-layout").join("")).toMatch(
    /Current version\s+https:\/\/sop\.example\.org\/sop\/SOP-0042/,
  );
  for (const bytes of [pdf, archived]) expect(bytes && pdfPages(bytes).join("")).not.toContain("Current version");
});

it.skipIf(!canReadPdfs)("a PDF has the caption of an image below it, also in a step", () => {
  const image = `![Valve](/api/assets/${"ab".repeat(32)}.png "Turn it slowly")`;
  const document = aDocument(`Above\n\n${image}\n\n1. Step ${image}\n`);
  const { bytes, warnings } = print(document, { [`${"ab".repeat(32)}.png`]: aPng(40, 40) }, "a-2b");
  expect(warnings).toEqual([]);
  expect(
    pdfPages(bytes)
      .join("")
      .match(/Turn it slowly/g),
  ).toHaveLength(2);
});

it.skipIf(!canReadPdfs)("a PDF has check boxes as text, also for readers that don't see", () => {
  const { bytes } = print(aDocument("- [ ] open\n- [x] done\n\n4. [x] four\n5. [ ] five\n"));
  const [page = ""] = pdfPages(bytes, "-layout");
  expect(page.match(/(?:\d\. *)?[☐☑] *\w+/g)?.map((box) => box.replace(/ +/g, " "))).toEqual([
    "☐ open",
    "☑ done",
    "4. ☑ four",
    "5. ☐ five",
  ]);
});

it.skipIf(!canReadPdfs)("signs in a PDF are copied once", () => {
  const { bytes } = print(aDocument("a ≠ b ≮ c ≯ d, **≠**, `≠`\n"));
  expect(pdfPages(bytes, "-raw").join("")).toMatch(/a ≠ b ≮ c ≯ d, ≠, ≠\n/);
});

it.skipIf(!canReadPdfs)("code in a PDF has its tabs as wide as on a screen", () => {
  const { bytes } = print(aDocument("```\n\tone\n        two\nabc\tthree\n```\n"));
  const places = pdfPlaces(bytes);
  for (const word of ["one", "three"]) expect(places.get(word)?.left).toBeCloseTo(places.get("two")?.left ?? 0, 1);
});

it("a machine without the typesetter's program gets an error with the fix", async () => {
  const missing = () => Promise.reject(new Error("Cannot find native binding."));
  await expect(openTypesetter([], missing)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/can't be created on this machine .*--format html/),
    details: { reason: "Cannot find native binding." },
  });
});

describe.skipIf(!canReadPdfs)("a PDF", () => {
  const steps = Array.from({ length: 160 }, (_, index) => `${index + 1}. Turn switch ${index + 1} to the left.\n`);
  const rows = Array.from({ length: 90 }, (_, index) => `| ${index + 1} | Value of row ${index + 1} |`);
  const long = `## Steps\n\n${steps.join("")}\n## Values\n\n| Row | Value |\n|---|---|\n${rows.join("\n")}\n`;

  it("shows document, version, status, page and number of pages on every page", () => {
    const pages = pdfPages(print(aDocument(long)).bytes, "-layout");
    expect(pages.length).toBeGreaterThan(5);
    for (const [index, page] of pages.entries()) {
      for (const part of [...everyPage, `Page ${index + 1} of ${pages.length}`])
        expect(page, `page ${index + 1}`).toContain(part);
    }
  });

  it("keeps the beginning of a title that is too long for the line, and marks the cut", () => {
    const title = `Isolate the filler ${"and every machine beside it ".repeat(6)}at once`;
    const [, second = ""] = pdfPages(print(aDocument(long, { title })).bytes, "-layout");
    expect(second).toMatch(/SOP-0042\s+Isolate the filler and every machine[^\n]*…\s+Version 7/);
    expect(second).not.toContain("at once");
  });

  it("shows the document's facts on its first page", () => {
    const [first = ""] = pdfPages(print(aDocument("Text.\n")).bytes, "-raw");
    const words = (text: string) => text.replace(/\s+/g, " ");
    for (const fact of controlBlockRows(aDocument("")).flat()) expect(words(first)).toContain(words(fact));
  });

  it("contains all text in order, and repeats the head of a table", () => {
    const { bytes } = print(aDocument(long));
    expect(missingBlocks(bytes, blocksOf(long))).toEqual([]);
    const heads = pdfPages(bytes, "-layout").filter((page) => /^\s*Row\s+Value\s*$/m.test(page));
    expect(heads.length).toBeGreaterThan(1);
  });

  it.each([
    ["draft", "DRAFT"],
    ["under_review", "UNDER REVIEW"],
    ["scheduled", "NOT YET EFFECTIVE"],
    ["superseded", "SUPERSEDED"],
    ["archived", "ARCHIVED"],
  ] as const)("of an SOP that is %s is marked on every page", (state, status) => {
    const pages = pdfPages(print(aDocument(long, { state })).bytes, "-layout");
    expect(pages.every((page) => page.includes(status))).toBe(true);
    // the mark behind the text is an image: it never appears between the words
    expect(missingBlocks(print(aDocument(long, { state })).bytes, blocksOf(long))).toEqual([]);
  });

  it("shows what looks like commands as the text it is", () => {
    const hostile = [
      '#read("/etc/passwd") #include "x.typ" #import "@preview/cetz:0.3.0": * #eval("1+1") #sys.inputs',
      "$x^2$ = Heading @label <label> // comment /* more */ ``` raw ``` ~ --- \\u{41} #[x] ]] [[ #panic()",
      '{"type":"heading"} \\" " \' ` \\ %&$',
    ];
    const markdown = hostile.map((line) => line.replace(/[\\`*_[\]<>#|~!$@]/g, "\\$&")).join("\n\n");
    const document = aDocument(markdown, {
      number: '#panic("n")',
      title: '= #read("/data.json") $',
      description: "*not bold* _nor this_",
      owner: "#owner[x]",
    });
    const text = pdfPages(print(document).bytes, "-raw").join("\n").replace(/\s+/g, " ");
    for (const line of [...hostile, document.number, document.title, document.description, "#owner[x]"]) {
      expect(text).toContain(line.replace(/\s+/g, " "));
    }
  });

  it("leaves out control characters, shows scripts from the right, symbols and emoji", () => {
    const { bytes, warnings } = print(
      aDocument("a\u0001b\u202ec \u{1f600} \u2713 \u26a0 \u2192 \u2265 \u03a9\n\n\u05e9\u05dc\u05d5\u05dd\n", {
        title: "T\u0007\u202eitle",
      }),
    );
    const text = pdfPages(bytes, "-raw").join("");
    for (const part of ["abc \u{1f600} \u2713 \u26a0 \u2192 \u2265 \u03a9", "Title"]) expect(text).toContain(part);
    expect(warnings).toEqual([]);
  });

  it.each([null, "a-2b"] as const)(
    "is refused with characters that no font has: they would be boxes (%s)",
    (standard) => {
      const document = aDocument("Lao \u0e81\n\nBeyond \u{3fff0}\u{3fff1} and \u{3fff0}\n");
      expect(() => print(document, {}, standard)).toThrow(
        expect.objectContaining({
          code: "font_missing",
          message: "No font has \u{3fff0} (U+3FFF0), \u{3fff1} (U+3FFF1) in line 3",
          details: { characters: ["\u{3fff0}", "\u{3fff1}"], lines: [3], fonts: [] },
        }),
      );
      expect(() => print(aDocument("Fine", { owner: "Eve \u{3fff0}" }))).toThrow(
        /^No font has \u{3fff0} \(U\+3FFF0\)$/u,
      );
    },
  );

  it("shows Hindi, Georgian and mathematics with the fonts that come with the program", () => {
    const text = "\u092f\u0939 \u0928\u093f\u092f\u092e \u10d0\u10d1 \u2264 \u2211 \u21d2";
    const { bytes, warnings } = print(aDocument(text, { lang: "hi" }), {}, "a-2b");
    expect(warnings).toEqual([]);
    expect(pdfPages(bytes, "-raw").join("")).toContain("\u092f\u0939");
  });

  it("names the fonts to add for Chinese, with no folder that has them", () => {
    expect(() => print(aDocument("Words\n\n日本\n", { title: "手順", lang: "ja" }))).toThrow(
      expect.objectContaining({
        details: { characters: ["手", "順", "日", "本"], lines: [3], fonts: ["japanese"] },
      }),
    );
  });

  it("shows every character that the typesetter is trusted to have", () => {
    const all = Array.from({ length: 0x1ffff }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((one) => typesetterCharacters.test(one));
    expect(all.length).toBe(403);
    // PDF/A refuses a character without a shape; older typesetters don't look
    const printed = print(aDocument(all.map((one) => `\`${one}\``).join(" ")), {}, "a-2b");
    expect(printed.warnings).toEqual([]);
  });

  it("of a document from the right is so as a whole: head, title, facts, steps, tables, foot", () => {
    const markdown = `\u05d1\u05d3\u05d9\u05e7\u05d4 \u05e9\u05dc \u05d4\u05dc\u05d7\u05e5\n\n1. \u05e1\u05d2\u05d5\u05e8 VALVE\n\nPress Enter.\n\n| \u05e4\u05e8\u05d9\u05d8 FIRST | \u05e2\u05e8\u05da SECOND |\n|---|---|\n| \u05dc\u05d7\u05e5 | \u05d0\u05e4\u05e1 |\n\n\`\`\`\ncodeline\n\`\`\`\n`;
    const title = "\u05e0\u05d5\u05d4\u05dc TITLE";
    const [rtl, ltr] = [true, false].map((hebrew) => {
      const text = hebrew ? markdown : markdown.replace(/[\u05d0-\u05ea]+/g, "word");
      const more = { title: hebrew ? title : "Title TITLE", description: "Described.", lang: hebrew ? null : "en" };
      return pdfPlaces(print(aDocument(text, more)).bytes);
    });
    if (!rtl || !ltr) throw new Error("both are set");
    // an A4 page has 595 points, of which 65 are margin
    const begins = (word: string) => [
      Math.round(595 - (rtl.get(word)?.right ?? 0)),
      Math.round(ltr.get(word)?.left ?? 0),
    ];
    for (const word of ["SOP-0042", "Number"]) {
      const [fromRight = 0, fromLeft = 0] = begins(word);
      expect(Math.abs(fromRight - fromLeft), `${word} ${fromRight} ${fromLeft}`).toBeLessThanOrEqual(2);
      expect(fromRight, word).toBeLessThan(90);
    }
    for (const [first, second] of [
      ["SOP-0042", "PUBLISHED"],
      ["FIRST", "SECOND"],
      ["Number", "Status"],
      ["uncontrolled", "1"],
    ] as const) {
      expect(rtl.get(first)?.left, `${first} is right of ${second}`).toBeGreaterThan(rtl.get(second)?.left ?? 595);
      expect(ltr.get(first)?.left, `${first} is left of ${second}`).toBeLessThan(ltr.get(second)?.left ?? 0);
    }
    // Latin words keep their order and begin at the same side; code stays at the left
    expect(595 - (rtl.get("Enter.")?.right ?? 0)).toBeLessThan(70);
    expect(rtl.get("Press")?.left).toBeLessThan(rtl.get("Enter.")?.left ?? 0);
    expect(595 - (rtl.get("Described.")?.right ?? 0)).toBeLessThan(70);
    expect(rtl.get("codeline")?.left).toBeLessThan(90);
  });

  it("shows images, and words for those that are missing or broken", () => {
    const names = ["aa", "bb", "cc"].map((two) => `${two.repeat(32)}.png`) as [string, string, string];
    const markdown = names.map((name, index) => `![number ${index}](/api/assets/${name})`).join("\n\n");
    const broken = Buffer.concat([pixel.subarray(0, 33), Buffer.from("no picture at all")]);
    const { bytes, warnings } = print(aDocument(markdown), { [names[0]]: pixel, [names[2]]: broken });
    expect(warnings).toEqual([`an image is missing: ${names[1]}`, `an image can't be read: ${names[2]}`]);
    const text = pdfPages(bytes, "-raw").join("");
    expect(text).not.toContain("number 0");
    expect(text).toContain("Picture: number 1");
    expect(text).toContain("Picture: number 2");
  });

  it("shows images of any size, alone, in a line, in steps, cells and boxes", () => {
    const name = `${"ee".repeat(32)}.png`;
    const picture = `![p](/api/assets/${name})`;
    const markdown = `${picture}\n\nIn ${picture} a line\n\n1. ${picture}\n\n   ${picture}\n2. b\n   - ${picture}\n\n| a |\n|---|\n| ${picture} |\n\n> ${picture}\n\n> [!NOTE]\n> ${picture}\n\nnote[^1]\n\n[^1]: ${picture}\n`;
    for (const [width, height] of [
      [16, 16],
      [900, 300],
      [30, 2_000],
    ] as const) {
      const { bytes, warnings } = print(aDocument(markdown), { [name]: aPng(width, height) });
      expect(warnings).toEqual([]);
      const drawn = spawnSync("pdfimages", ["-list", "-"], { input: bytes, encoding: "utf8" });
      expect(
        drawn.stdout.split("\n").filter((line) => / image /.test(line)),
        `${width}`,
      ).toHaveLength(9);
    }
  });

  it("shows an image as wide as its text asks for", () => {
    const name = `${"ee".repeat(32)}.png`;
    const { bytes } = print(aDocument(`![p|100](/api/assets/${name})\n`), { [name]: aPng(200, 100) });
    const drawn = spawnSync("pdfimages", ["-list", "-"], { input: bytes, encoding: "utf8" });
    const [, , , width, , , , , , , , , perInch] = drawn.stdout.trim().split("\n").at(-1)?.trim().split(/\s+/) ?? [];
    // 96 pixels of the page to the inch
    expect([width, perInch]).toEqual(["200", "192"]);
  });

  it("contains text that is nested deeper than a page can show", () => {
    const lists = Array.from({ length: 40 }, (_, level) => `${"   ".repeat(level)}1. level ${level}`).join("\n");
    const markdown = `${lists}\n\n${"> ".repeat(60)}far in\n\n${"<sub>".repeat(60)}down${"</sub>".repeat(60)}\n`;
    const { bytes } = print(aDocument(markdown));
    expect(missingBlocks(bytes, blocksOf(markdown))).toEqual([]);
  });

  it("contains all words of texts that try to change them, in their order", { timeout: 120_000 }, () => {
    for (const hostile of fc.sample(anyMarkdown, { numRuns: 30, seed: 20_261_122 })) {
      // without notes, which a page's end puts between its words
      const markdown = hostile.replaceAll("noted[^n]", "");
      expect(
        missingBlocks(
          print(aDocument(markdown), { [stored]: pixel }).bytes,
          blocksOf(markdown),
          (name) => name === stored,
        ),
        JSON.stringify(markdown),
      ).toEqual([]);
    }
  });

  it("keeps a document with links that the typesetter can't set, and says that they are text", () => {
    const markdown =
      "[\u05e9\u05dc\u05d5\u05dd](https://a.example)\u00ad\n\nNote[^1] [there](https://b.example)\n\n[^1]: [here](https://c.example)\n";
    const { bytes, warnings } = print(aDocument(markdown));
    expect(warnings).toEqual(["the typesetter can't set the links of this document: they are text"]);
    const text = pdfPages(bytes, "-raw").join("");
    for (const word of ["\u05dd", "there", "here"]) expect(text).toContain(word);
    expect(print(aDocument("[there](https://b.example)\n")).warnings).toEqual([]);
  });

  it("breaks words that are wider than their place", () => {
    const word = "unbreakable".repeat(20);
    const markdown = `${word}\n\n\`${word}\`\n\n| a | b |\n|---|---|\n| ${word} | x |\n\n\`\`\`\n${word}\n\`\`\`\n`;
    const { bytes } = print(aDocument(markdown));
    expect(missingBlocks(bytes, blocksOf(markdown))).toEqual([]);
    const lines = pdfPages(bytes, "-raw").join("\n").split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(150);
  });

  it("has the same bytes again, regardless of PDFs in between", () => {
    const document = aDocument(long);
    const first = print(document).bytes;
    print(aDocument("Something else.\n", { lang: "de" }));
    expect(Buffer.from(print(document).bytes).equals(Buffer.from(first))).toBe(true);
  });

  it("includes its title, number of pages and time for programs", () => {
    const info = Buffer.from(print(aDocument("Text.\n", { lang: "de-AT" })).bytes).toString("latin1");
    expect(info).toContain("D:20261001100000");
    expect(info).toContain("/Lang (de-AT)");
  });

  it("of real documents contains all of their text", { timeout: 120_000 }, () => {
    // the typesetter has no font for the scripts of mixed-scripts.md
    const files = corpusFiles(".md", { oneIn: 60 }).filter(({ name }) => !/fixtures|broken|mixed-scripts/.test(name));
    const incomplete = files.flatMap((file) => {
      const { name: path } = file;
      const { body } = readMarkdownDocument({ path, text: textOf(file) });
      return missingBlocks(print(aDocument(body)).bytes, blocksOf(body))
        .slice(0, 1)
        .map((piece) => [path, piece]);
    });
    expect(incomplete).toEqual([]);
  });
});

describe.skipIf(!canReadPdfs)("a table that is longer than a page", () => {
  const rows = Array.from({ length: 90 }, (_, at) => `Row ${String(at + 1).padStart(3, "0")}`);
  const merged = (label: string, text = "") => {
    const lines = rows.map(
      (row, at) => `<tr>${at === 0 ? `<td rowspan="90">${label}</td>` : ""}<td>${row}${text}</td></tr>`,
    );
    return `<table><thead><tr><th>Area</th><th>Point</th></tr></thead><tbody>${lines.join("")}</tbody></table>\n\nThe end.\n`;
  };

  it("shows all rows of a merged cell between head and foot, with its words on each page", () => {
    const pages = pdfPages(
      print(aDocument(merged("BOILER"))).bytes,
      "-layout",
      "-x",
      "0",
      "-y",
      "72",
      "-W",
      "596",
      "-H",
      "708",
    );
    const text = pages.join("\n");
    for (const row of [...rows, "The end."]) expect(text).toContain(row);
    const withRows = pages.filter((page) => page.includes("Row "));
    expect(withRows.length).toBeGreaterThan(2);
    expect(withRows.filter((page) => !/BOILER/.test(page) || !/Area\s+Point/.test(page))).toEqual([]);
    expect(text.match(/BOILER/g)).toHaveLength(withRows.length);
    expect(text.match(/BOILER \(continued\)/g)).toHaveLength(withRows.length - 1);
  });

  it("keeps the words of blocks apart where a merged cell continues", () => {
    const label = "<p>FIRST</p><p>SECOND</p><ul><li>THIRD</li></ul><p>FOURTH</p>";
    const text = pdfPages(print(aDocument(merged(label))).bytes, "-layout").join("\n");
    expect(text).toContain("FIRST SECOND THIRD");
    expect(text).not.toContain("FIRSTSECOND");
    expect(text).not.toContain("THIRDFOURTH");
  });

  it("repeats only the first words of a long merged cell, and keeps all of it once", () => {
    const label = Array.from({ length: 60 }, (_, at) => `label${at}`).join(" ");
    const text = pdfPages(print(aDocument(merged(label, ` ${"text ".repeat(60)}`))).bytes, "-raw").join("\n");
    expect(text.match(/label59/g)).toHaveLength(1);
    expect(text.match(/label0/g)?.length).toBeGreaterThan(3);
    for (const row of rows) expect(text).toContain(row);
  });
});

describe.skipIf(!canReadPdfs)("text from the right", () => {
  const arabic =
    "\u0623\u063a\u0644\u0642 \u0627\u0644\u0635\u0645\u0627\u0645 \u0639\u0646\u062f 80 \u00b0C \u0644\u0644\u0633\u062c\u0644 12/2026\u060c \u0648\u0644\u0627 \u062a\u0641\u062a\u062d\u0647 \u0642\u0628\u0644 \u0627\u0644\u0623\u0642\u0644.";

  it("keeps each letter once in the PDF's text, so that a search finds its words", () => {
    const shown = pdfPages(print(aDocument(arabic, { lang: "ar" })).bytes, "-raw")
      .join("\n")
      .replace(/[\u200e\u202a-\u202e]/g, "");
    for (const word of arabic.match(/[\u0600-\u06ff]{3,}/g) ?? []) expect(shown).toContain(word.replace("\u060c", ""));
  });

  it("keeps words whose letters stand above each other whole, so that a search finds them", () => {
    const words = "الخطوة المحرك الجديد التهوية بحجم يحتوي سلام";
    const shown = pdfPages(print(aDocument(words, { lang: "ar" })).bytes, "-raw").join("\n");
    const letters = shown.replace(/\p{Cf}/gu, "");
    for (const word of words.split(" ")) expect(letters).toContain(word);
  });

  it.each([
    arabic,
    "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd 80 \u00b0C \u05d5\u05d0\u05d6 12/2026 \u05d5\u05d2\u05dd.",
  ])("keeps numbers left of their unit: %s", (text) => {
    const places = pdfPlaces(print(aDocument(text, { lang: "he" })).bytes);
    const word = [...places].find(([one]) => one.includes("80"))?.[0] ?? "";
    const unit = [...places].find(([one]) => one.includes("C") && one.includes("\u00b0"))?.[0] ?? "";
    expect(word.replace(/\p{Cf}/gu, "")).toMatch(/^80/);
    expect(places.get(word)?.left).toBeLessThanOrEqual(places.get(unit)?.left ?? 0);
    expect(places.get("12/2026")).toBeDefined();
  });
});
