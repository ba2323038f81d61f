import type { Root, Yaml } from "mdast";
import { parse } from "#markdown-parser";
import { convertDialects } from "#core/dialects/convert.ts";
import { codeLineFlags, fencedLineFlags, toLines } from "#core/text/lines.ts";
import { bodyStart } from "#core/import/rewrite-links.ts";

/**
 * Parses a whole file as one tree: the front matter is its first node, and positions refer to the file. Code blocks of
 * other tools contain no headings, lists or other blocks; files of SOPs, which have an `id`, have no such code.
 */
export function parseFile(text: string): { tree: Root; yaml: Yaml | undefined } {
  const start = bodyStart(text);
  const isOwn = /^id:[ \t]*["']?[\da-f]{8}-/m.test(text.slice(0, start));
  const tree = parse(isOwn ? text : withoutForeignBlocks(text, start), { frontMatter: true });
  const [first] = tree.children;
  return { tree, yaml: first?.type === "yaml" ? first : undefined };
}

/** Matches lines that begin markup of other tools, which can contain code. */
const foreign = /^[ \t>]*(?::{3,}|\/{3,}|[{%+$\\*]|<[A-Z%]|-+8<|import[ \t]|export[ \t]|:[A-Za-z])/m;

const marker =
  /^([ \t>]*)(#{1,6}(?=[ \t]|$)|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|>|<|\||[=-]+(?=[ \t]*$)|\*{3}|_{3}|`{3,}|~{3,})/;

/**
 * Replaces the marks that would begin a block in code of other tools: Markdown takes `# a comment` in a directive or
 * shortcode for a heading, while an import keeps it as code. Each character is replaced by one, so positions stay.
 */
function withoutForeignBlocks(text: string, start: number): string {
  const body = text.slice(start);
  if (!foreign.test(body)) return text;
  const lines = toLines(body, 1);
  const { lines: mapped } = convertDialects(lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, "") })));
  const code = codeLineFlags(lines);
  const fenced = fencedLineFlags(mapped);
  const masked = new Set(mapped.flatMap(({ origin }, index) => (fenced[index] && !code[origin - 1] ? [origin] : [])));
  if (masked.size === 0) return text;
  const shown = lines.map(({ text: line, origin }) =>
    masked.has(origin)
      ? line.replace(marker, (_, indent: string, sign: string) => indent + "\uE000".repeat(sign.length))
      : line,
  );
  return text.slice(0, start) + shown.join("\n");
}
