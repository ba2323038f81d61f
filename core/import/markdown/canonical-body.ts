import { AppError } from "#core/errors.ts";
import { changeNotes } from "#core/faithful/compare.ts";
import { compareWritten } from "#core/faithful/written.ts";
import { formatEdited, normaliseText } from "#core/markdown/format.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { createReport, namedLines, type ReportLine } from "./report.ts";
import { lowerHeadings } from "./titles.ts";

export interface CanonicalBody {
  markdown: string;
  /** How it differs from the text as it was sent, for its writer. */
  notes: ReportLine[];
}

/**
 * The body of an SOP as it is stored: canonical, without an H1. A first H1 equal to the title is dropped; where one remains,
 * all headings go one level down (`docs/spec/markdown.md`). Throws `unprocessable` where that can't be written.
 */
export function canonicalBody({ markdown, title }: { markdown: string; title: string }): CanonicalBody {
  assertParsable(markdown);
  const text = normaliseText(markdown);
  const tree = parseMarkdown(text);
  const report = createReport("");
  lowerHeadings(tree, title, report, (line) => line);
  const canonical = formatEdited(tree, text);
  if (canonical === undefined && report.lines.length === 0) return { markdown: text, notes: [] };
  if (canonical === undefined) {
    throw new AppError(
      "unprocessable",
      "The text's markup can't be written without a heading of level 1: use headings from ## on",
    );
  }
  for (const note of changeNotes(compareWritten(text, canonical, { named: namedLines(report) }))) {
    report.add(note.code, note.message, note.line);
  }
  return { markdown: canonical, notes: report.lines };
}
