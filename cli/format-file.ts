/** Formats a whole file, front matter and body, in canonical form. Never changes a word. */
import { firstConstructWithChangedMeaning } from "#core/dialects/guard.ts";
import { toLines, linesAsText } from "#core/text/lines.ts";
import { notesOfChanges } from "#core/faithful/compare.ts";
import { markupChanges } from "#core/faithful/markup.ts";
import { differencesOfWriting } from "#core/faithful/written.ts";
import { findHeaderBlock, findTomlBlock } from "#core/import/markdown/header-block.ts";
import { convertLetteredSteps } from "#core/import/markdown/lettered-steps.ts";
import { createReport } from "#core/import/markdown/report.ts";
import { cleaningNotes } from "#core/markdown/clean-markdown.ts";
import { formatIndented, formatMarkdown, normaliseText, sameTree } from "#core/markdown/format.ts";
import { fileTextOf, isKnownKey, parseFrontMatter, splitFrontMatter } from "#core/markdown/front-matter.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { readYaml, yamlComments } from "#core/markdown/yaml.ts";
import { spokenText } from "#core/language/catalog.ts";
import { rowNotes } from "#core/markdown/table-rows.ts";
import type { FileDialect } from "./config/resolve.ts";
import { invalidInputError } from "./exit.ts";

export interface FormatOptions {
  /** The dialect of the document's folder. Absent means `github`. */
  dialect?: FileDialect;
  /** Gets notes about words that no reader sees, and about control characters that the result leaves out. */
  note?: (message: string) => void;
}

/** Characters that mark tables, bold, italics and links. */
const markupSigns = /[|*_[]/;

/**
 * @throws AppError for broken front matter and for texts that are too complex to parse; exit 2 if formatting would
 * change the syntax tree
 */
export function formatFile(text: string, path: string, { dialect, note }: FormatOptions = {}): string {
  const { header, body } = splitAnyFrontMatter(text);
  assertParsable(body);
  const source = normaliseText(body);
  const formatted = dialect === "mkdocs" ? formatIndented(body, 4) : formatMarkdown(body);
  if (formatted !== source) assertMarkupKept(source, formatted, path, firstBodyLineNumber(text, body));
  if (note !== undefined) {
    const first = lineOfBody(text, body);
    const above = firstBodyLineNumber(text, body) - first;
    const tree = markupSigns.test(source) ? parseMarkdown(source) : undefined;
    const rows = tree === undefined ? [] : rowNotes(tree);
    const marks =
      tree === undefined ? [] : notesOfChanges(markupChanges(tree, source, (line) => line + above + first - 1));
    for (const { line, sentence } of cleaningNotes(body)) note(`line ${line + first - 1}: ${spokenText(sentence)}`);
    for (const { line, sentence } of rows) note(`line ${line + above + first - 1}: ${spokenText(sentence)}`);
    for (const { sentence } of marks) note(spokenText(sentence));
  }
  return header + formatted;
}

/** @throws exit 2 if formatting broke the markup of another tool, which the formatter treats as text */
function assertMarkupKept(source: string, formatted: string, path: string, firstLine: number): void {
  const changed = firstConstructWithChangedMeaning(source, formatted) ?? changedLetteredSteps(source, formatted);
  if (changed === undefined) {
    const [word] = differencesOfWriting(source, formatted, { firstLine });
    if (word === undefined) return;
    throw invalidInputError("dialect", `${path}: left as it is, line ${word.line} would change its words`, {
      path,
      hint: `“${word.before}” would become “${word.after}”`,
    });
  }
  const where = `${changed.name}, line ${changed.line + firstLine - 1}`;
  throw invalidInputError("dialect", `${path}: left as it is, it is written for another tool (${where})`, {
    path,
    hint: "`sop import --to-dir <dir>` converts it",
  });
}

/**
 * Returns the first line of steps with letters that formatting would change. Markdown has no such steps, so both texts
 * are compared with these steps turned into lists.
 */
function changedLetteredSteps(source: string, formatted: string): { name: string; line: number } | undefined {
  const report = createReport("");
  const [before, after] = [source, formatted].map((text) =>
    linesAsText(convertLetteredSteps(toLines(text, 1), report)),
  );
  const line = report.lines[0]?.line;
  if (before === undefined || after === undefined || line === undefined) return undefined;
  return sameTree(parseMarkdown(before), parseMarkdown(after)) ? undefined : { name: "steps with letters", line };
}

/** Returns the number of the line in which the body of a file begins. */
export function lineOfBody(text: string, body: string): number {
  return countLineEnds(text) - countLineEnds(body) + 1;
}

/** Returns the number of the body's first line that isn't blank. `normaliseText` removes the blank lines before it. */
function firstBodyLineNumber(text: string, body: string): number {
  return lineOfBody(text, body) + countLineEnds(/^\s*/.exec(body)?.[0] ?? "");
}

function countLineEnds(text: string): number {
  return text.split(/\r\n?|\n/).length - 1;
}

/** Returns the text after the front matter of any kind, with LF line ends. */
export function bodyWithoutFrontMatter(text: string): string {
  return splitAnyFrontMatter(text).body;
}

function splitAnyFrontMatter(text: string): { header: string; body: string } {
  const { raw, body } = splitFrontMatter(text);
  if (raw !== null) {
    return {
      header: fitsOurFrontMatter(raw) ? fileTextOf(parseFrontMatter(raw), "") : `---\n${raw.trimEnd()}\n---\n\n`,
      body,
    };
  }
  const lines = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const toml = findTomlBlock(lines);
  if (toml !== undefined) return { header: `+++\n${toml.raw}\n+++\n\n`, body: toml.body };
  const block = findHeaderBlock(lines);
  return block === undefined ? { header: "", body } : { header: `${block.raw}\n---\n\n`, body: block.body };
}

/**
 * Says whether the SOP format can hold the front matter. The format has no place for other tools' keys, comments and
 * nested values, so front matter with these stays as it is.
 */
function fitsOurFrontMatter(raw: string): boolean {
  const ours = Object.entries(readYaml(raw)).every(
    ([key, value]) => (isKnownKey(key) || /^x-[a-z0-9-]+$/.test(key)) && value !== "" && isFlat(value),
  );
  return ours && yamlComments(raw).length === 0;
}

function isFlat(value: unknown): boolean {
  return Array.isArray(value) ? value.every((item) => typeof item !== "object") : typeof value !== "object";
}
