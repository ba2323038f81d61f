import type { Root, Yaml } from "mdast";
import { parse } from "#markdown-parser";
import { convertDialects } from "#core/dialects/convert.ts";
import { codeLines, fencedLines, toLines } from "#core/text/lines.ts";
import { bodyStart } from "#core/import/rewrite-links.ts";

/**
 * A whole file as one tree: the front matter is its first node, positions count from the file's beginning. In a file from
 * elsewhere, what is code to another tool holds no headings, lists or other blocks. The files of SOPs have an `id`.
 */
export function parseFile(text: string): { tree: Root; yaml: Yaml | undefined } {
  const start = bodyStart(text);
  const isOwn = /^id:[ \t]*["']?[\da-f]{8}-/m.test(text.slice(0, start));
  const tree = parse(isOwn ? text : withoutForeignBlocks(text, start), { frontMatter: true });
  const [first] = tree.children;
  return { tree, yaml: first?.type === "yaml" ? first : undefined };
}

/** Lines that begin something other than Markdown's own code, and can hold it. */
const foreign = /^[ \t>]*(?::{3,}|\/{3,}|[{%+$\\*]|<[A-Z%]|-+8<|import[ \t]|export[ \t]|:[A-Za-z])/m;

const marker =
  /^([ \t>]*)(#{1,6}(?=[ \t]|$)|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|>|<|\||[=-]+(?=[ \t]*$)|\*{3}|_{3}|`{3,}|~{3,})/;

/**
 * The text whose lines of foreign code begin no block: the import keeps `# a comment` of a directive or shortcode as code, and
 * Markdown alone takes it for a heading. Each sign stays one sign, so that positions are those of the file.
 */
function withoutForeignBlocks(text: string, start: number): string {
  const body = text.slice(start);
  if (!foreign.test(body)) return text;
  const lines = toLines(body, 1);
  const { lines: mapped } = convertDialects(lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, "") })));
  const code = codeLines(lines);
  const fenced = fencedLines(mapped);
  const masked = new Set(mapped.flatMap(({ origin }, index) => (fenced[index] && !code[origin - 1] ? [origin] : [])));
  if (masked.size === 0) return text;
  const shown = lines.map(({ text: line, origin }) =>
    masked.has(origin)
      ? line.replace(marker, (_, indent: string, sign: string) => indent + "\uE000".repeat(sign.length))
      : line,
  );
  return text.slice(0, start) + shown.join("\n");
}
