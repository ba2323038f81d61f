/** The ways of a document through the product. Each gives the reading of a reader at its end. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { formatFile } from "../../cli/format-file.ts";
import type { ExportDocument } from "../../core/export/document.ts";
import { createDocx } from "../../core/export/docx/print-docx.ts";
import { documentAsHtmlFile } from "../../core/export/html/page.ts";
import { bodyOfHtml } from "../../core/import/html/content.ts";
import { readingOfHtml, type ReadingToken } from "../../core/markdown/html/reading.ts";
import type { SourceDocument } from "../../core/import/layouts.ts";
import { canonicalBody } from "../../core/import/markdown/canonical-body.ts";
import { readMarkdownDocument } from "../../core/import/markdown/markdown-file.ts";
import { createReport } from "../../core/import/markdown/report.ts";
import { readSourceAsMarkdown } from "../../core/import/read-text.ts";
import { splitFrontMatter } from "../../core/markdown/front-matter.ts";
import { parseHtml, parseHtmlPage } from "../../core/markdown/html-tree.ts";
import { renderHtml } from "../../core/markdown/render.ts";

export interface Way {
  title: string;
  description: string;
  /** The reading of the text, without title and description. */
  seen: ReadingToken[];
  markdown: string;
  /** The notes of the way, a line each. */
  notes: string[];
}

const kinds: Readonly<Record<string, SourceDocument["kind"]>> = { ".docx": "docx", ".html": "html", ".xml": "html" };

export async function imported(path: string, bytes: Uint8Array): Promise<Way> {
  const kind = kinds[extname(path)] ?? "markdown";
  const report = createReport(path);
  const file = { path, read: () => bytes };
  const { text } = await readSourceAsMarkdown({ path, kind, file }, bytes, report);
  const { frontMatter, body, report: lines } = readMarkdownDocument({ path, text });
  const notes = [...report.lines, ...lines].map(({ message }) => message);
  return way(body, notes, frontMatter.title, frontMatter.description);
}

export function way(markdown: string, notes: readonly string[] = [], title = "", description = ""): Way {
  return { title, description, markdown, notes: [...notes], seen: readingOfHtml(parseHtml(renderHtml(markdown))) };
}

export function formatted(path: string, text: string): Way {
  const once = formatFile(text, path);
  if (formatFile(once, path) !== once) throw new Error(`${path}: fmt changes its own output`);
  return way(splitFrontMatter(once).body);
}

export function saved(markdown: string, title = ""): Way {
  const { markdown: stored, notes } = canonicalBody({ markdown, title });
  return way(
    stored,
    notes.map(({ message }) => message),
  );
}

export function sent(content: string, title = ""): Way {
  const { markdown, notes } = bodyOfHtml({ content, title });
  return way(
    markdown,
    notes.map(({ message }) => message),
  );
}

export function aDocument(markdown: string, title: string): ExportDocument {
  return {
    number: "SOP-0042",
    version: 7,
    workingCopy: false,
    state: "published",
    title: title || "Title",
    description: "",
    markdown,
    lang: null,
    category: null,
    company: null,
    owner: null,
    writtenBy: null,
    changeClass: null,
    approvals: [],
    effective: null,
    reviewBy: null,
    contentHash: null,
    tags: [],
    at: "2026-10-01T10:00:00.000Z",
  };
}

/** Exports a Word file and reads it again. */
export async function throughWord({ markdown, title }: Way): Promise<Way> {
  const { bytes, warnings } = await createDocx(aDocument(markdown, title), renderHtml(markdown), {});
  const again = await imported("again.docx", bytes);
  return { ...again, notes: [...warnings, ...again.notes] };
}

/** The reading of the page that `sop export --format html` writes, without its frame. */
export function asPage({ markdown, title }: Way): ReadingToken[] {
  const html = renderHtml(markdown);
  const page = documentAsHtmlFile(aDocument(markdown, title), { html, image: () => undefined }, () => "");
  const found = /<article[^>]*>([^]*)<\/article>/.exec(page)?.[1];
  return readingOfHtml(found === undefined ? parseHtmlPage(page) : parseHtml(found));
}

/** The words as a line, struck ones between `~~`, numbers of list items before them. */
export function wordsSeen(seen: readonly ReadingToken[]): string {
  return seen
    .flatMap((one) => {
      const value = one.slice(1);
      switch (one.charAt(0)) {
        case "w":
          return [value];
        case "~":
          return [`~~${value}~~`];
        case "p":
          return value.split(/\s+/);
        case "x":
          return [value === "1" ? "☒" : "☐"];
        case "#":
          return [`${value.slice(value.indexOf(":") + 1)}.`];
        default:
          return [];
      }
    })
    .join(" ");
}

export const casesFolder = `${import.meta.dirname}/cases`;

export function caseBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(`${casesFolder}/${name}`));
}
