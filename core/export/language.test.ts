/** Another language: no words around a document's text are left in English. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { pseudoLanguage, untranslatedPart } from "../../test/pseudo-language.ts";
import { english, setSpokenLanguage } from "../language/spoken.ts";
import { renderHtml } from "../markdown/render.ts";
import { controlBlockRows, pageNumberWords, versionMarks, type ExportDocument, type VersionState } from "./document.ts";
import { docxFooterOf, docxHeaderOf } from "./docx/frame.ts";
import { documentAsHtmlFile } from "./html/page.ts";
import { pdfDataOf } from "./pdf-data.ts";
import { manualPageHtml, siteHomeHtml, sitePageHtml } from "./site.ts";
import { searchScript, searchableTextOf } from "./site-search.ts";

const pseudo = pseudoLanguage("core");
beforeEach(() => setSpokenLanguage(pseudo));
afterEach(() => setSpokenLanguage(english));

const signature = { name: "\u00d1", at: "2026-10-03T10:00:00.000Z" };
const states = Object.keys(versionMarks) as VersionState[];
const changes = ["major", "minor", null] as const;

/** Every letter of its data has an accent, so that plain letters are English words of the product. */
const documents = states.flatMap((state) =>
  changes.flatMap((changeClass) =>
    [true, false].map((workingCopy): ExportDocument => ({
      number: "\u00d1-1",
      version: changeClass === null ? null : 7,
      workingCopy,
      state,
      title: "\u00d1\u00f1",
      description: "\u00f1",
      markdown: "",
      lang: null,
      category: "\u00d1",
      company: "\u00d1",
      owner: "\u00d1",
      writtenBy: signature,
      changeClass,
      approvals: changeClass === "major" ? [signature] : [],
      effective: "2026-10-01",
      published: "2026-10-05",
      reviewBy: "2027-10-05",
      contentHash: "1".repeat(64),
      tags: [],
      at: signature.at,
    })),
  ),
);

/** Data, and the English names of months, which the made-up language has too. */
const data = ["\u00d1\u00f1", "\u00d1", "\u00f1", "Oct"];
const leftIn = (text: string) => untranslatedPart(text, data);

const asset = `/api/assets/${"1".repeat(64)}.png`;
const noImages = { html: renderHtml(`![\u00d1](${asset}) ![](${asset})\n`), image: () => undefined };
const styleHash = () => "";
const words = (html: string) => leftIn(searchableTextOf(html.replace(/<(style|head)[^]*?<\/\1>/g, "")));

it("the pages of HTML and of a site are in the language", () => {
  for (const document of documents) {
    const page = { document, name: "1" };
    const html = [
      documentAsHtmlFile(document, noImages, styleHash),
      sitePageHtml(page, noImages, "\u00d1", styleHash),
      manualPageHtml(page, noImages, "\u00d1"),
      siteHomeHtml("\u00d1", [page]),
      siteHomeHtml("\u00d1", [page, page], false),
    ];
    expect(html.map(words)).toEqual(html.map(() => ""));
  }
});

/** The texts in a tree of Word elements. */
function drawnTexts(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(drawnTexts);
  if (tree === null || typeof tree !== "object") return [];
  const { rootKey, root } = tree as { rootKey?: string; root?: unknown[] };
  if (rootKey === "w:t") return (root ?? []).filter((one) => typeof one === "string");
  return Object.values(tree).flatMap(drawnTexts);
}

it("the data of a PDF and the frame of a Word file are in the language", () => {
  for (const document of documents) {
    const { version, status, words: around, facts } = pdfDataOf(document, [], {});
    const { page, lostImageOf, ...whole } = around;
    const shown = [version, status, ...Object.values(whole), ...facts.flat(), page.join("1"), lostImageOf.join("1")];
    expect(shown.map(leftIn)).toEqual(shown.map(() => ""));
    const frame = [docxHeaderOf(document, false), docxFooterOf(document, false)];
    const drawn = drawnTexts(JSON.parse(JSON.stringify(frame)));
    expect(drawn.join(" ")).toContain("\u27e6");
    expect(leftIn(drawn.join(""))).toBe("");
  }
});

it("the number of results of a site's search has each plural form of the language", () => {
  setSpokenLanguage({
    code: "pl",
    texts: {
      "core.export.search": { found: "{count, plural, one {# plik} few {# pliki} other {# plik\u00f3w}}", failed: "!" },
    },
  });
  const [, found = ""] = /const words = .*"found":(\{.*?\})/.exec(searchScript()) ?? [];
  expect(JSON.parse(found)).toMatchObject({ one: "# plik", few: "# pliki", many: "# plik\u00f3w" });
});

it("a day on paper and the words of a page number follow the language", () => {
  setSpokenLanguage({ code: "de", texts: { "core.export": { page: "Seite {page}/{pages}" } } });
  expect(pageNumberWords()).toEqual(["Seite ", "/", ""]);
  const [, day = ""] = controlBlockRows(documents[0] as ExportDocument).find(([name]) => name === "Next review") ?? [];
  expect(day).toBe("5. Okt. 2027");
});
