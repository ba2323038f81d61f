/** Copies and pages as Word, Google Docs, Outlook, Excel, LibreOffice and Confluence write them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readHtmlFile } from "#core/import/html/html-file.ts";
import { createReport } from "#core/import/markdown/report.ts";
import { splitFrontMatter } from "../front-matter.ts";
import { htmlToMarkdown } from "../from-html.ts";

const folder = path.join(import.meta.dirname, "../../../test/faithful/cases");
const file = (name: string) => readFileSync(path.join(folder, name), "utf8");

describe.each([
  ["p01-word-clipboard.html", "p01-word-clipboard.md"],
  ["p02-gdocs-clipboard.html", "p02-gdocs-clipboard.md"],
  ["p03-office-softbreak.html", "p03-office-softbreak.md"],
  ["w06-page.html", "w06-page.md"],
  ["w07-confluence.xml", "w07-confluence.md"],
  ["m13-bare-markers.html", "m13-bare-markers.md"],
  ["html/outlook.html", "outlook.md"],
  ["html/excel.html", "excel.md"],
  ["html/libreoffice.html", "libreoffice.md"],
])("%s", (source, text) => {
  it("becomes the same text by API and by import", () => {
    const html = file(source);
    expect(htmlToMarkdown(html).markdown).toBe(file(`html/${text}`));
    const { text: imported } = readHtmlFile(new TextEncoder().encode(html), createReport(source));
    expect(splitFrontMatter(imported).body.replace(/^\n+/, "")).toBe(file(`html/${text}`));
  });
});
