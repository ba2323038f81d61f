/** A whole file in canonical form: front matter and body. Never changes a word. */
import { Lexer } from "yaml";
import { mapAdmonitions } from "#core/import/markdown/admonitions.ts";
import { findHeaderBlock, findTomlBlock } from "#core/import/markdown/header-block.ts";
import { mapLetteredSteps } from "#core/import/markdown/lettered-steps.ts";
import { createReport } from "#core/import/markdown/report.ts";
import { toLines, toText } from "#core/import/markdown/source-lines.ts";
import { formatMarkdown, normaliseText, sameTree } from "#core/markdown/format.ts";
import { emitFile, isKnownKey, parseFrontMatter, splitFrontMatter } from "#core/markdown/front-matter.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { readYaml } from "#core/markdown/yaml.ts";
import { invalid } from "./exit.ts";

/** @throws AppError for broken front matter and texts no parser should see; exit 2 where the syntax tree would change */
export function formatFile(text: string, path: string): string {
  const { header, body } = splitHeader(text);
  assertParsable(body);
  const source = normaliseText(body);
  const formatted = formatMarkdown(body);
  if (formatted !== source) refuseChange(source, formatted, path);
  return header + formatted;
}

/** The formatter keeps the tree of plain Markdown, but markup of another tool is only text there. */
function refuseChange(source: string, formatted: string, path: string): void {
  const [before, after] = [readDialect(source), readDialect(formatted)];
  if (before.mapped === source && after.mapped === formatted) return;
  if (sameTree(parseMarkdown(before.mapped), parseMarkdown(after.mapped))) return;
  throw invalid("dialect", `${path}: left as it is, it is written for another tool (${before.what})`, {
    path,
    hint: "`sop import --to-dir <dir>` converts it",
  });
}

/** The text with markup of MkDocs and others converted. Plain Markdown would show it as text. */
function readDialect(text: string): { mapped: string; what: string } {
  const report = createReport("");
  const mapped = toText(mapLetteredSteps(mapAdmonitions(toLines(text, 1), report), report));
  return {
    mapped,
    what: report.lines
      .map(({ message }) => message.replace(/ became .*$/, ""))
      .slice(0, 1)
      .join(""),
  };
}

/** The text after the front matter of any kind; its line ends are LF. */
export function bodyOf(text: string): string {
  return splitHeader(text).body;
}

function splitHeader(text: string): { header: string; body: string } {
  const { raw, body } = splitFrontMatter(text);
  if (raw !== null) {
    return { header: isOurs(raw) ? emitFile(parseFrontMatter(raw), "") : `---\n${raw.trimEnd()}\n---\n\n`, body };
  }
  const lines = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const toml = findTomlBlock(lines);
  if (toml !== undefined) return { header: `+++\n${toml.raw}\n+++\n\n`, body: toml.body };
  const block = findHeaderBlock(lines);
  return block === undefined ? { header: "", body } : { header: `${block.raw}\n---\n\n`, body: block.body };
}

/** Our format would lose keys of other tools, comments and keys without a value, so such a header stays as it is. */
function isOurs(raw: string): boolean {
  const ours = Object.entries(readYaml(raw)).every(
    ([key, value]) => (isKnownKey(key) || /^x-[a-z0-9-]+$/.test(key)) && value !== "" && value !== null,
  );
  return ours && ![...new Lexer().lex(raw)].some((token) => token.startsWith("#"));
}
