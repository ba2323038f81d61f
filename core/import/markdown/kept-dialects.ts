import type { Root } from "mdast";
import { eachNode } from "#core/markdown/parse.ts";
import { schema } from "#core/markdown/sanitise-schema.ts";
import { counted, type Report } from "./report.ts";
import { fencedLines, type SourceLine } from "./source-lines.ts";

const patterns = [
  { code: "attribute-list", pattern: /\{:[^{}\n]*\}/g, what: "attribute list", means: "is kept as text" },
  { code: "template-tag", pattern: /\{\{[^\n]*?\}\}|\{%[^\n]*?%\}/g, what: "template tag", means: "is kept as text" },
] as const;

/** Markup that must occur after an import as often as before. */
export const countedDialects = [
  { name: "templated links", pattern: /\]\(\{[{%]/g },
  { name: "template tags", pattern: /\{\{[^\n]*?\}\}|\{%[^\n]*?%\}/g },
  { name: "attribute lists", pattern: /\{:[^{}\n]*\}/g },
  { name: "<br>", pattern: /<\/?br\s*\/?>/gi },
] as const;

/** Counts dialects before and after, and names a difference: the last guard against mangling something silently. */
export function reportCounts(before: string, after: string, report: Report): void {
  for (const { name, pattern } of countedDialects) {
    const [was, is] = [before, after].map((text) => text.match(pattern)?.length ?? 0);
    if (was !== is)
      report.add("count", `${name}: ${was} in the file, ${is} in the text (some were escaped or in a title)`);
  }
}

/** Reports markup that has no meaning here and was kept as written, so that authors don't rely on it. */
export function reportKeptMarkup(lines: readonly SourceLine[], tree: Root, report: Report): void {
  const fenced = fencedLines(lines);
  for (const { code, pattern, what, means } of patterns) {
    const found = lines.flatMap((line, index) => {
      const count = fenced[index] ? 0 : (line.text.match(pattern)?.length ?? 0);
      return count === 0 ? [] : [{ count, origin: line.origin }];
    });
    const total = found.reduce((sum, { count }) => sum + count, 0);
    if (total > 0)
      report.add(code, `${counted(total, what)} ${total === 1 ? means : "are kept as text"}`, found[0]?.origin);
  }
  const grid = lines.findIndex((line, index) => !fenced[index] && /^[ \t]*\+(?:[-=]{3,}\+)+[ \t]*$/.test(line.text));
  if (grid !== -1) report.add("grid-table", "a table drawn with +---+ is kept as text", lines[grid]?.origin);
  reportHtml(tree, report);
}

function reportHtml(tree: Root, report: Report): void {
  const hidden = new Map<string, number>();
  let kept = 0;
  eachNode(tree, (node) => {
    if (node.type !== "html") return;
    const tags = [...node.value.matchAll(/<([A-Za-z][\w-]*)/g)].map((match) => (match[1] ?? "").toLowerCase());
    if (tags.some((tag) => tag !== "br")) kept += 1;
    for (const tag of tags) if (!schema.tagNames?.includes(tag)) hidden.set(tag, (hidden.get(tag) ?? 0) + 1);
  });
  if (kept > 0) report.add("raw-html", `${counted(kept, "piece")} of HTML kept as written`);
  for (const [tag, times] of hidden) {
    report.add("raw-html", `<${tag}> (${counted(times, "time")}) stays in the text and is not shown`);
  }
}
