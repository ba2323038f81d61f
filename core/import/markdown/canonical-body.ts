import type { Root } from "mdast";
import { AppError } from "#core/errors.ts";
import { notesOfChanges } from "#core/faithful/compare.ts";
import { markupChanges } from "#core/faithful/markup.ts";
import { differencesOfWriting } from "#core/faithful/written.ts";
import { cleaningNotes } from "#core/markdown/clean-markdown.ts";
import { formatEdited, normaliseText } from "#core/markdown/format.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { texts } from "./note-texts.ts";
import { recordWrittenNumbers, splitListsAtNumberJumps } from "#core/markdown/list-numbers.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { breakBeforeLabels } from "./line-labels.ts";
import { sentenceOfMessage } from "#core/language/catalog.ts";
import { createReport, linesWithNotedWordChanges, type ConversionReport, type ReportLine } from "./report.ts";
import { rowNotes } from "#core/markdown/table-rows.ts";
import { fitHeadingsBelowTitle } from "./titles.ts";
import { refusals } from "./refusals.ts";

export interface CanonicalBody {
  markdown: string;
  /** Notes for the author on differences from the text that was sent. */
  notes: ReportLine[];
}

/**
 * Returns the body of an SOP as it is stored: canonical and without an H1. An H1 at the beginning that equals the title
 * is removed; if another H1 remains, all headings go one level down (`docs/spec/markdown.md`). @throws AppError
 * `unprocessable` if the text can't be written that way
 */
export function canonicalBody({ markdown, title }: { markdown: string; title: string }): CanonicalBody {
  assertParsable(markdown);
  const text = normaliseText(markdown);
  const tree = parseMarkdown(text);
  const report = createReport("");
  for (const { sentence, line } of cleaningNotes(markdown.replace(/\r\n?/g, "\n"))) {
    report.add("control-characters", sentence, line);
  }
  for (const { sentence, line } of rowNotes(tree)) report.add("table-cells", sentence, line);
  const marks = markupChanges(tree, text);
  const canonical = convertToStoredBody(tree, text, title, report, (line) => line);
  if (canonical === undefined && !report.lines.some(({ code }) => code === "headings" || code === "first-heading")) {
    return { markdown: text, notes: report.lines };
  }
  if (canonical === undefined) {
    throw new AppError("unprocessable", refusals.headingOfLevelOne());
  }
  const changes = differencesOfWriting(text, canonical, { named: linesWithNotedWordChanges(report) });
  for (const note of notesOfChanges([...changes, ...marks])) {
    report.add(note.code, note.sentence, note.line);
  }
  return { markdown: canonical, notes: report.lines };
}

/**
 * Changes a parsed tree into the body to store, and returns the body. Lists are split where their numbers jump, and
 * lines with labels such as `(a)` stay separate, so that views show what the author wrote.
 *
 * @param lineOf gives the line of the file for a line of `source`
 * @returns undefined if the text can't be written without an H1
 */
export function convertToStoredBody(
  tree: Root,
  source: string,
  title: string,
  report: ConversionReport,
  lineOf: (line: number) => number,
): string | undefined {
  const changes = createReport("");
  const jumps = splitListsAtNumberJumps(tree, source);
  for (const jump of jumps)
    changes.add("list-numbers", texts.jump({ from: jump.from, to: jump.to }), lineOf(jump.line));
  breakBeforeLabels(tree, changes, lineOf);
  const asWritten = changes.lines.length === 0 ? undefined : parseMarkdown(source);
  fitHeadingsBelowTitle(tree, title, report, lineOf);
  const canonical = formatEdited(tree, source);
  if (canonical !== undefined || asWritten === undefined) {
    for (const note of changes.lines) report.add(note.code, sentenceOfMessage(note), note.line);
    return canonical;
  }
  // report lists that couldn't be split: the source has the author's numbers, but views count on
  for (const { line, from, to } of jumps) report.add("list-numbers", texts.uncounted({ from, to }), lineOf(line));
  recordWrittenNumbers(asWritten, source);
  fitHeadingsBelowTitle(asWritten, title, createReport(""), lineOf);
  return formatEdited(asWritten, source);
}
