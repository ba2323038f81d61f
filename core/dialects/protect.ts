/** Turns kept markup within lines into code if the canonical form would change it, so that its bytes stay. */
import { texts } from "./texts.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import type { ConversionReport } from "#core/import/markdown/report.ts";
import { inlineOptionsAfterConversion } from "./convert.ts";
import { findInlineMarkup, type InlineConstruct } from "./inline.ts";
import { toLines } from "../text/lines.ts";

/**
 * Returns the text with kept markup as code where the canonical form would change the markup. The report lists such
 * markup.
 * @param text a text whose constructs were converted @param lineOf gives the file's line for a line of `text`, for the
 *   report
 */
export function withProtectedInlineMarkup(
  text: string,
  report: ConversionReport,
  lineOf: (line: number) => number,
): string {
  const kept = findInlineMarkup(toLines(text, 1), inlineOptionsAfterConversion(text)).filter(
    ({ dialect, replacement }) => dialect !== "html" && replacement === undefined,
  );
  if (kept.length === 0) return text;
  const formatted = formatMarkdown(text);
  const left = new Map<string, number>();
  for (const { source } of findInlineMarkup(toLines(formatted, 1), inlineOptionsAfterConversion(text))) {
    left.set(withoutLineIndents(source), (left.get(withoutLineIndents(source)) ?? 0) + 1);
  }
  let out = "";
  let done = 0;
  let line = 1;
  for (const one of kept) {
    const count = left.get(withoutLineIndents(one.source)) ?? 0;
    left.set(withoutLineIndents(one.source), count - 1);
    if (count > 0 && !wouldSplitTableCell(text, one)) continue;
    const above = text.slice(done, one.start);
    line += above.split("\n").length - 1;
    out += above;
    done = one.start;
    if (one.source.includes("\n")) report.add("count", texts.rewritten({ name: one.name }), lineOf(line));
    else {
      report.add("count", texts.protected({ name: one.name }), lineOf(line));
      out += isInTableRow(text, one.start) ? inlineCodeOf(one).replaceAll("|", "\\|") : inlineCodeOf(one);
      done = one.end;
    }
  }
  return out + text.slice(done);
}

/** Removes the indent of lines, because a list around them can change it. */
function withoutLineIndents(text: string): string {
  return text.replace(/\n[ \t>]*/g, "\n");
}

/** Tells whether a position is in a table row, where a pipe ends the cell even inside code. */
function isInTableRow(text: string, start: number): boolean {
  return /^[ \t>]*\|/.test(text.slice(text.lastIndexOf("\n", start - 1) + 1));
}

/** Tells whether a pipe in a construct would cut a table cell in two. As code, the construct stays in one cell. */
function wouldSplitTableCell(text: string, { source, start }: InlineConstruct): boolean {
  return (
    /(?<!\\)\|/.test(source) &&
    isInTableRow(text, start) &&
    /^[ \t>]*\|/.test(text.slice(text.lastIndexOf("\n", text.lastIndexOf("\n", start - 1) - 1) + 1))
  );
}

function inlineCodeOf({ source }: InlineConstruct): string {
  const longest = Math.max(0, ...[...source.matchAll(/`+/g)].map(([mark]) => mark.length));
  const mark = "`".repeat(longest + 1);
  const gap = /^`|`$/.test(source) ? " " : "";
  return `${mark}${gap}${source}${gap}${mark}`;
}
