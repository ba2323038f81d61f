/** Kept markup within lines that the canonical form would change becomes code, so that its bytes stay. */
import { formatMarkdown } from "#core/markdown/format.ts";
import type { Report } from "#core/import/markdown/report.ts";
import { inlineOptions } from "./convert.ts";
import { findInline, type Inline } from "./inline.ts";
import { toLines } from "./lines.ts";

/** @param text in which all constructs were mapped; the lines of the report are those of this text, given by `lineOf` */
export function protectInline(text: string, report: Report, lineOf: (line: number) => number): string {
  const kept = findInline(toLines(text, 1), inlineOptions(text)).filter(
    ({ dialect, replacement }) => dialect !== "html" && replacement === undefined,
  );
  if (kept.length === 0) return text;
  const formatted = formatMarkdown(text);
  const changed = new Set(
    kept.filter(({ source }) => times(formatted, source) < times(text, source)).map(({ source }) => source),
  );
  let out = text;
  for (const one of kept.toReversed()) {
    if (!changed.has(one.source)) continue;
    const line = lineOf(text.slice(0, one.start).split("\n").length);
    if (one.source.includes("\n")) report.add("count", `${one.name} is written differently`, line);
    else {
      report.add("count", `${one.name} became code, so that it stays as written`, line);
      out = out.slice(0, one.start) + codeOf(one) + out.slice(one.end);
    }
  }
  return out;
}

/** How often it occurs, a backslash before it not counted. */
function times(text: string, part: string): number {
  const pieces = joined(text).split(joined(part));
  return pieces.slice(0, -1).filter((before) => !before.endsWith("\\")).length;
}

function joined(text: string): string {
  return text.replace(/\n[ \t>]*/g, "\n");
}

function codeOf({ source }: Inline): string {
  const longest = Math.max(0, ...[...source.matchAll(/`+/g)].map(([mark]) => mark.length));
  const mark = "`".repeat(longest + 1);
  const gap = /^`|`$/.test(source) ? " " : "";
  return `${mark}${gap}${source}${gap}${mark}`;
}
