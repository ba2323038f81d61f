import type { Root } from "hast";
import { changeNotes } from "#core/faithful/compare.ts";
import { changesFrom } from "#core/faithful/content.ts";
import { counted, type Report } from "#core/import/markdown/report.ts";
import { emitFile, type FrontMatter } from "#core/markdown/front-matter.ts";
import { convertHtml } from "#core/markdown/from-html.ts";
import { writeHtml } from "#core/markdown/html-tree.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { rendered } from "#core/markdown/render.ts";
import type { ConvertedText } from "../converted.ts";

/** The repaired tree as a Markdown file. The report lists the parts that Markdown can't hold. */
export function joinDocument(
  root: Root,
  front: FrontMatter,
  images: ReadonlyMap<string, Uint8Array>,
  report: Report,
): ConvertedText {
  const { markdown, losses, page } = convertHtml(writeHtml(root));
  for (const loss of losses) report.add("html", loss);
  const tables = markdown.match(/^[ >]*<table>/gm)?.length ?? 0;
  if (tables > 0) {
    report.add("html", `${counted(tables, "table")} with merged cells, lists or paragraphs in cells kept as HTML`);
  }
  assertParsable(markdown);
  for (const { code, message } of changeNotes(changesFrom(page, rendered(markdown).tree(), "")))
    report.add(code, message);
  return { text: Object.keys(front).length === 0 ? markdown : emitFile(front, markdown), images };
}
