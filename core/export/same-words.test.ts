import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anyMarkdown,
  blockWords,
  docxWords,
  documentOf,
  elementsIn,
  htmlWords,
  missing,
  stored,
  withoutSigns,
  wordsOf,
} from "../../test/export-words.ts";
import { cleanText } from "../text/clean-text.ts";
import { parseHtmlPage } from "../markdown/html-tree.ts";
import { renderHtml } from "../markdown/render.ts";
import { createDocx } from "./docx/print-docx.ts";
import { documentAsHtmlFile } from "./html/page.ts";
import { pdfDataOf } from "./pdf-data.ts";
import { readExportBlocks } from "./read-blocks.ts";
import { siteHomeHtml, sitePageHtml } from "./site.ts";

const image = (name: string) => (name === stored ? `data:image/png;base64,${stored}` : undefined);
const pixel = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="),
  (one) => one.charCodeAt(0),
);
const hash = () => "";
const page = (markdown: string) =>
  documentAsHtmlFile(documentOf(markdown), { html: renderHtml(markdown), image }, hash);
const hostile = `</title></style>--><script>x</script>\u202e"' onload=x <h1>& \u0000<meta http-equiv=refresh>`;
const pdf = (markdown: string) => pdfDataOf(documentOf(markdown), readExportBlocks(renderHtml(markdown)), {}).blocks;

/** The elements of every HTML page; a text adds none of them. */
function frameOf(html: string): string[] {
  const frame = /^(html|head|body|meta|title|style|script|link|base|header|main|article|footer|iframe|form|svg|math)$/;
  return elementsIn(parseHtmlPage(html)).flatMap(({ tagName }) => (frame.test(tagName) ? [tagName] : []));
}

describe("the words of exports are those of the screen, in the same order", () => {
  it("in HTML pages, for any text", { timeout: 120_000 }, () => {
    const frame = frameOf(page("x"));
    const check = (markdown: string) => {
      const parts = { html: renderHtml(markdown), image, link: () => "x.html" };
      const screen = htmlWords(parts.html);
      const site = sitePageHtml({ document: documentOf(markdown), name: "x" }, parts, "All", hash);
      expect(htmlWords(site, "article")).toEqual(screen);
      const file = documentAsHtmlFile(documentOf(markdown), parts, hash);
      expect(htmlWords(file, "article")).toEqual(screen);
      expect(frameOf(file)).toEqual(frame);
    };
    fc.assert(fc.property(anyMarkdown, check), { numRuns: 200 });
  });

  it("in everything around the text", () => {
    const named = { name: hostile, at: "2026-01-01T00:00:00.000Z" };
    const texts = { number: hostile, title: hostile, description: hostile, lang: hostile, category: hostile };
    const facts = { company: hostile, owner: hostile, effective: hostile, contentHash: hostile, tags: [hostile] };
    const document = documentOf("x", { ...texts, ...facts, writtenBy: named, approvals: [named] });
    const parts = { html: "<p>x</p>", image };
    const shown = wordsOf(cleanText(hostile));
    const pages = [
      documentAsHtmlFile(document, parts, hash),
      sitePageHtml({ document, name: "x" }, parts, hostile, hash),
      siteHomeHtml(hostile, [{ document, name: hostile }]),
    ];
    for (const html of pages) {
      const tags = new Set(frameOf(html));
      // the site's pages have their own search form
      for (const tag of ["iframe", "base", "svg"]) expect([tag, tags.has(tag)]).toEqual([tag, false]);
      expect(elementsIn(parseHtmlPage(html)).filter(({ properties }) => "onLoad" in properties)).toEqual([]);
      expect(
        elementsIn(parseHtmlPage(html)).filter(({ properties }) => properties["httpEquiv"]?.toString() === "refresh"),
      ).toEqual([]);
      expect(htmlWords(html, "h1").join(" ")).toBe(shown.join(" "));
      for (const one of ["\u202e", "\u0000"]) expect(html).not.toContain(one);
    }
    const data = JSON.stringify(pdfDataOf({ ...document, lang: null }, [], {}));
    for (const one of ["\u202e", "\\u0000"]) expect(data).not.toContain(one);
  });

  it("in what PDFs are set from", { timeout: 120_000 }, () => {
    const check = (markdown: string) => {
      expect(blockWords(pdf(markdown))).toEqual(withoutSigns(htmlWords(renderHtml(markdown))));
    };
    fc.assert(fc.property(anyMarkdown, check), { numRuns: 200 });
  });

  it("in Word files", { timeout: 120_000 }, async () => {
    const check = async (markdown: string) => {
      const { bytes } = await createDocx(documentOf(markdown), renderHtml(markdown), { [stored]: pixel });
      // boxes of tasks and the signs of alerts are drawn
      const written = (words: string[]) => words.filter((word) => !/^[☐☒⬣▲△●◆○◇]$/u.test(word));
      expect(written(docxWords(bytes))).toEqual(written(withoutSigns(htmlWords(renderHtml(markdown)))));
    };
    await fc.assert(fc.asyncProperty(anyMarkdown, check), { numRuns: 100 });
  });

  it("and the placeholder of a missing image is text, not markup", () => {
    const markdown = `![<h2>Dose</h2>Give 50 mg<!--](/api/assets/${missing})\n\nGive **5 mg** and stop the pump.`;
    expect(htmlWords(page(markdown), "article").join(" ")).toBe(
      "[PICTURE: <H2>DOSE</H2>GIVE 50 MG<!--] GIVE 5 MG AND STOP THE PUMP.",
    );
    expect(htmlWords(page(markdown), "footer")).toEqual(wordsOf("Printed = uncontrolled copy"));
    const leads = `![<meta http-equiv=refresh content=0;url=https://evil.example>](/api/assets/${missing})`;
    expect(page(leads)).not.toContain("<meta http-equiv=refresh");
  });
});
