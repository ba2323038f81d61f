import type { Root } from "hast";
import type { ConversionReport } from "#core/import/markdown/report.ts";
import { texts } from "#core/import/markdown/note-texts.ts";
import { fileTextOf, type FrontMatter } from "#core/markdown/front-matter.ts";
import { notesOfChanges } from "#core/faithful/compare.ts";
import { changesFromHtml } from "#core/import/html/content.ts";
import { addressesInMarkdown } from "#core/markdown/addresses.ts";
import { convertHtml } from "#core/markdown/from-html.ts";
import { writeHtml } from "#core/markdown/html-tree.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { renderWithTree } from "#core/markdown/render.ts";
import type { ConvertedText } from "../converted.ts";

/**
 * Writes a cleaned HTML tree as a Markdown file. The report lists content that Markdown can't represent.
 * @param isCompared true to report differences between the HTML and the Markdown; false if the caller does that
 */
export function writeMarkdownDocument(
  root: Root,
  front: FrontMatter,
  images: ReadonlyMap<string, Uint8Array>,
  report: ConversionReport,
  isCompared = true,
): ConvertedText {
  const converted = convertHtml(writeHtml(root));
  const { markdown, losses } = converted;
  for (const loss of losses) report.add("html", loss);
  const changes = isCompared ? changesFromHtml(converted, renderedViewOf(markdown), "", { addresses: false }) : [];
  for (const { code, sentence } of notesOfChanges(changes)) report.add(code, sentence);
  const tables = markdown.match(/^[ >]*<table>/gm)?.length ?? 0;
  if (tables > 0) {
    report.add("html", texts.tables({ count: tables }));
  }
  return { text: Object.keys(front).length === 0 ? markdown : fileTextOf(front, markdown), images };
}

const storedImage = `/api/assets/${"0".repeat(64)}.png`;

/** Renders the text as if all its images were stored, because missing images would be rendered as links. */
function renderedViewOf(markdown: string): Root {
  let text = "";
  let done = 0;
  for (const { start, url, kind } of addressesInMarkdown(markdown, parseMarkdown(markdown)).toSorted(
    (a, b) => a.start - b.start,
  )) {
    if (kind !== "image" || start < done) continue;
    text += markdown.slice(done, start) + storedImage;
    done = start + url.length;
  }
  return renderWithTree(text + markdown.slice(done)).tree();
}
