/**
 * Imports and exports Word files made from a seed. An independent reader of the file (`core/faithful/word.ts`) is
 * compared with the view of the text. Each function returns the differences without a note, in words.
 */
import { unzipSync } from "fflate";
import { createDocx } from "../../core/export/docx/print-docx.ts";
import { differencesOfReadings } from "../../core/faithful/compare.ts";
import { readingOfHtml, type ReadingToken } from "../../core/markdown/html/reading.ts";
import { readDocx } from "../../core/import/docx/docx-file.ts";
import { readMarkdownDocument } from "../../core/import/markdown/markdown-file.ts";
import { createReport, type ReportLine } from "../../core/import/markdown/report.ts";
import { parseHtml } from "../../core/markdown/html-tree.ts";
import { renderHtml } from "../../core/markdown/render.ts";
import { seeded } from "../audit-tamper.ts";
import { documentOf, stored } from "../export-words.ts";
import { makeText } from "./make-text.ts";
import { makeWord } from "./make-word.ts";
import { readWord, type WordReaderOptions } from "../../core/faithful/word.ts";
import type { WordReading } from "../../core/faithful/word-xml.ts";

const pixel = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

/** Imports Word files of these seeds. */
export async function wordInDifferences(from: number, to: number): Promise<string[]> {
  const found: string[] = [];
  for (let seed = from; seed < to; seed += 1) {
    const bytes = makeWord(seeded(seed * 7_919 + 1));
    found.push(...(await importDifferences(bytes)).map((difference) => `seed ${seed}: ${difference}`));
  }
  return found;
}

/** The changes that an import of a Word file makes without a note. */
export async function importDifferences(bytes: Uint8Array): Promise<string[]> {
  const before = readFile(bytes);
  const { body, title, notes } = await imported(bytes);
  const above = notes.some(({ code }) => code === "first-heading") ? wordsOf(title) : [];
  return [...differences(before.seen, [...above, ...viewOf(body)]), ...unnamed(before, notes)];
}

/** Exports texts of these seeds. */
export async function wordOutDifferences(from: number, to: number): Promise<string[]> {
  const found: string[] = [];
  for (let seed = from; seed < to; seed += 1) {
    const markdown = makeText(seeded(seed * 7_919 + 2));
    const after = readFile(await exported(markdown), { own: true });
    found.push(...differences(viewOf(markdown), after.seen).map((difference) => `seed ${seed}: ${difference}`));
  }
  return found;
}

/** Exports texts of these seeds and imports them again. */
export async function wordAgainDifferences(from: number, to: number): Promise<string[]> {
  const found: string[] = [];
  for (let seed = from; seed < to; seed += 1) {
    const markdown = makeText(seeded(seed * 7_919 + 2));
    const { body } = await imported(await exported(markdown));
    found.push(...differences(viewOf(markdown), viewOf(body)).map((difference) => `seed ${seed}: ${difference}`));
  }
  return found;
}

async function imported(bytes: Uint8Array): Promise<{ body: string; title: string; notes: ReportLine[] }> {
  const report = createReport("a.docx");
  const { text } = await readDocx("a.docx", bytes, report);
  const { body, frontMatter, report: lines } = readMarkdownDocument({ path: "a.md", text });
  // images come as files beside the text, and are stored under another name
  const shown = body.replaceAll(/embedded-\d+\.\w+/g, `/api/assets/${stored}`);
  return { body: shown, title: frontMatter.title ?? "", notes: [...report.lines, ...lines] };
}

async function exported(markdown: string): Promise<Uint8Array> {
  const images = { [stored]: pixel };
  const { bytes } = await createDocx(documentOf(markdown), renderHtml(markdown), images);
  return bytes;
}

function readFile(bytes: Uint8Array, options?: WordReaderOptions): WordReading {
  const files = unzipSync(bytes);
  const part = (name: string) => new TextDecoder().decode(files[`word/${name}.xml`] ?? new Uint8Array());
  return readWord(
    {
      document: part("document"),
      styles: part("styles"),
      numbering: part("numbering"),
      footnotes: part("footnotes"),
      endnotes: part("endnotes"),
    },
    options,
  );
}

function viewOf(markdown: string): ReadingToken[] {
  return readingOfHtml(parseHtml(renderHtml(markdown)), { addresses: false });
}

function wordsOf(text: string): ReadingToken[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `w${word}`);
}

function differences(before: readonly ReadingToken[], after: readonly ReadingToken[]): string[] {
  return differencesOfReadings(before, after).map(
    ({ kind, near, before: was, after: is }) => `${kind}: "${was}" became "${is}" near "${near}"`,
  );
}

function unnamed({ hidden, prompts }: WordReading, notes: readonly ReportLine[]): string[] {
  const codes = new Set<string>(notes.map(({ code }) => code));
  return [
    ...(hidden.length > 0 && !codes.has("hidden") ? [`hidden text without a note: ${hidden.join(", ")}`] : []),
    ...(prompts.length > 0 && !codes.has("form") ? [`empty fields without a note: ${prompts.join(", ")}`] : []),
  ];
}
