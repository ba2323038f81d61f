import { unzipSync } from "fflate";
import { expect, it } from "vitest";
import { documentOf, htmlWords } from "../../test/export-words.ts";
import { controlBlockRows, type ExportDocument } from "./document.ts";
import { createDocx } from "./docx/print-docx.ts";
import { documentAsHtmlFile } from "./html/page.ts";
import { pdfDataOf } from "./pdf-data.ts";
import { sitePageHtml } from "./site.ts";

const signature = { name: "Ann", at: "2026-10-03T23:30:00.000Z" };
const dated: Partial<ExportDocument>[] = [
  { effective: "2027-01-01" },
  { published: "2027-01-01" },
  { reviewBy: "2027-01-01" },
  { writtenBy: signature },
  { approvals: [signature] },
  { effective: "2027-01-01", workingCopy: true, state: "draft" },
];

it.each(dated)("names the time zone of its days once: %j", (days) => {
  expect(controlBlockRows(documentOf("x", days)).filter(([, value]) => value === "UTC")).toEqual([
    ["Time zone", "UTC"],
  ]);
});

it("names no time zone without a day", () => {
  expect(controlBlockRows(documentOf("x")).flat()).not.toContain("UTC");
});

it("names it in each format", async () => {
  const document = documentOf("x", dated[0]);
  const parts = { html: "<p>x</p>", image: () => undefined };
  const hash = () => "";
  for (const page of [
    documentAsHtmlFile(document, parts, hash),
    sitePageHtml({ document, name: "x" }, parts, "All", hash),
  ])
    expect(htmlWords(page, "dl").join(" ")).toContain("1 JAN 2027 TIME ZONE UTC");
  expect(pdfDataOf(document, [], {}).facts).toContainEqual(["Time zone", "UTC"]);
  const { bytes } = await createDocx(document, parts.html, {});
  const word = new TextDecoder().decode(unzipSync(bytes)["word/document.xml"]);
  expect(word.replaceAll(/(?:<[^>]+>)+/g, " ")).toContain("Time zone UTC");
});
