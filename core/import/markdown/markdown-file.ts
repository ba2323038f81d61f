import type { Root } from "mdast";
import { convertDialects, reportConstructs } from "#core/dialects/convert.ts";
import { isBlankLine, toLines, linesAsText, type SourceLine } from "#core/text/lines.ts";
import { withProtectedInlineMarkup } from "#core/dialects/protect.ts";
import { AppError } from "#core/errors.ts";
import { notesOfChanges } from "#core/faithful/compare.ts";
import { findMarkupWithoutEffect } from "#core/faithful/markup.ts";
import { differencesOfWriting } from "#core/faithful/written.ts";
import { addressesInMarkdown } from "#core/markdown/addresses.ts";
import { createLossCollector, lossTexts } from "#core/markdown/html/losses.ts";
import { notesOnLostCharacters, withoutNeedlessControlsInLines } from "#core/text/clean-text.ts";
import { cleaningNotes, cleanMarkdown } from "#core/markdown/clean-markdown.ts";
import { normaliseText } from "#core/markdown/format.ts";
import { addExtras, splitFrontMatter, type FrontMatter } from "#core/markdown/front-matter.ts";
import { assertParsable } from "#core/markdown/limits.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { rowNotes } from "#core/markdown/table-rows.ts";
import { readYaml, yamlComments } from "#core/markdown/yaml.ts";
import { limits } from "#core/limits.ts";
import { detectLanguage } from "#core/text/detect-language.ts";
import { addDetectedLanguage } from "../language.ts";
import { convertToStoredBody } from "./canonical-body.ts";
import { assertKnownKeysReadable, convertFrontMatter, writtenKeyOf } from "./foreign-front-matter.ts";
import { assertNoLostHeader, findHeaderBlock, findTomlBlock } from "./header-block.ts";
import { convertLetteredSteps } from "./lettered-steps.ts";
import { texts } from "./note-texts.ts";
import { createReport, linesWithNotedWordChanges, type ConversionReport, type ReportLine } from "./report.ts";
import { descriptionOf, shortenAtWord, titleHeading, titleFromHeadingOrFileName } from "./titles.ts";
import { readToml } from "./toml.ts";
import { refusals } from "./refusals.ts";

export type { ReportLine } from "./report.ts";

export interface MarkdownDocument {
  /** The front matter, always with a title and a description. */
  frontMatter: FrontMatter;
  /** The body in canonical form, without an H1. */
  body: string;
  report: ReportLine[];
}

/**
 * Reads a Markdown file of any tool into an SOP. Front matter and markup of other tools are converted or kept
 * unchanged, and the report lists them. @throws AppError `invalid_input`, `too_large` or `unprocessable`, with advice
 * and with the file as `path` in its details
 */
export function readMarkdownDocument(file: { path: string; text: string }): MarkdownDocument {
  try {
    return convertMarkdown(file.path, file.text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.sentence, { path: file.path, ...asDetails(error.details) });
  }
}

function asDetails(details: unknown): Record<string, unknown> {
  return typeof details === "object" && details !== null ? { ...details } : {};
}

function convertMarkdown(path: string, original: string): MarkdownDocument {
  const report = createReport(path);
  const text = normalizedFileText(original, report);
  const { values, bodyLine, lineOf } = readHeader(withoutNeedlessControlsInLines(text).normalize("NFC"), report);
  const all = text.split("\n");
  const [header, written] = [all.slice(0, bodyLine - 1).join("\n"), all.slice(bodyLine - 1).join("\n")];
  reportControls(notesOnLostCharacters(header, withoutNeedlessControlsInLines(header)), report, 1);
  const cleaned = cleanMarkdown(written);
  reportControls(cleaningNotes(written, cleaned), report, bodyLine);
  const body = cleaned.normalize("NFC");
  const frontMatter = convertFrontMatter(values, report, lineOf);
  const converted = convertDialects(toLines(body, bodyLine));
  reportConstructs(converted.constructs, report);
  const lines = convertLetteredSteps(converted.lines, report);
  const mapped = withProtectedInlineMarkup(normaliseText(linesAsText(lines)), report, createOriginOfLine(lines));
  const tree = parseMarkdown(mapped);
  const origin = createOriginOfLine(lines);
  for (const { sentence, line } of rowNotes(tree)) report.add("table-cells", sentence, origin(line));
  reportRemoteImages(mapped, tree, report);
  const markup = findMarkupWithoutEffect(tree, mapped, origin);
  for (const key of ["title", "description"] as const) {
    const written = writtenKeyOf(key, values);
    if (written !== undefined) shortenField(frontMatter, key, report, "cut-key", lineOf(written));
  }
  completeFrontMatter(frontMatter, tree, path, report);
  addDetectedLanguage(frontMatter, detectLanguage(`${frontMatter.title}\n${mapped}`), report);
  const canonical = convertToStoredBody(tree, mapped, frontMatter.title ?? "", report, origin);
  if (canonical === undefined) {
    throw new AppError("unprocessable", refusals.headingOfLevelOneInFile());
  }
  const letters = report.lines.some(({ code }) => code === "lettered-steps");
  const isTitleDropped = report.lines.some(({ code }) => code === "first-heading");
  const named = linesWithNotedWordChanges(report);
  body.split("\n").forEach((written, index) => {
    if (directiveOption.test(written) && named.has(bodyLine + index - 1)) named.add(bodyLine + index);
  });
  // compare with and without the title, because views show it above the text, but in the file comments can be above it
  const shown = isTitleDropped ? [`${frontMatter.title ?? ""}\n\n${canonical}`, canonical] : [canonical];
  const [changes = []] = shown
    .map((one) => differencesOfWriting(body, one, { firstLine: bodyLine, named, letters }))
    .toSorted((one, other) => one.length - other.length);
  const noted = new Set(report.lines.map(({ line }) => line));
  const unnamed = markup.filter(({ line = 0, before, after }) => {
    const isConstruct = after === "" || /\{[{%]/.test(before);
    return !named.has(line) && !(isConstruct && noted.has(line));
  });
  for (const note of notesOfChanges([...changes, ...unnamed])) report.add(note.code, note.sentence, note.line);
  return { frontMatter, body: canonical, report: report.lines };
}

/** Reports images on other servers, because views don't load them. */
function reportRemoteImages(text: string, tree: Root, report: ConversionReport): void {
  if (!text.includes("![") && !text.includes("<img")) return;
  const losses = createLossCollector();
  for (const { kind, url } of addressesInMarkdown(text, tree))
    if (kind === "image" && /^https?:/i.test(url)) losses.add(lossTexts.linkedImage(), url);
  for (const message of losses.lines()) report.add("image", message);
}

/** Matches an option in a directive, such as `:class: wide`. The note on the directive covers its options. */
const directiveOption = /^[ \t>]*:[\w-]+:(?:[ \t]|$)/;

function normalizedFileText(original: string, report: ConversionReport): string {
  if (original.includes("\0")) throw new AppError("invalid_input", refusals.notText());
  if (original.trim() === "") throw new AppError("invalid_input", refusals.emptyFile());
  assertParsable(original);
  if (original.startsWith("\uFEFF")) report.add("byte-order-mark", texts.byteOrderMark(), 1);
  if (original.includes("\r")) report.add("line-endings", texts.lineEndings());
  const text = original.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const composed = text.normalize("NFC");
  if (composed !== text) report.add("unicode", texts.unicode());
  return composed;
}

function reportControls(
  notes: ReturnType<typeof notesOnLostCharacters>,
  report: ConversionReport,
  firstLine: number,
): void {
  for (const { sentence, line } of notes) report.add("control-characters", sentence, line + firstLine - 1);
}

interface ForeignHeader {
  values: Record<string, unknown>;
  body: string;
  bodyLine: number;
  /** Returns the line on which a key begins. */
  lineOf: (key: string) => number | undefined;
}

/** Reads front matter of any kind, and the text below it. */
export function readHeader(text: string, report: ConversionReport): ForeignHeader {
  const split = splitFrontMatter(text);
  if (split.raw !== null) {
    const { raw, body, bodyLine } = split;
    return { values: readYamlHeader(raw, 2, report), body, bodyLine, lineOf: createKeyLineFinder(raw, 2) };
  }
  const toml = findTomlBlock(text);
  if (toml !== undefined) {
    report.add("front-matter", texts.toml(), 1);
    const { values, comments, lines } = readToml(toml.raw);
    reportComments(comments, report);
    return { values, body: toml.body, bodyLine: toml.bodyLine, lineOf: (key) => lines.get(key) };
  }
  const block = findHeaderBlock(text);
  if (block !== undefined) {
    report.add("header-block", texts.openHeader(), 1);
    const { raw, body, bodyLine } = block;
    return { values: readYamlHeader(raw, 1, report), body, bodyLine, lineOf: createKeyLineFinder(raw, 1) };
  }
  assertNoLostHeader(split.body);
  return { values: {}, body: split.body, bodyLine: 1, lineOf: () => undefined };
}

/**
 * Creates a function that finds the line of a key; undefined for a key that doesn't begin a line, as in a header in
 * braces.
 */
function createKeyLineFinder(raw: string, firstLine: number): (key: string) => number | undefined {
  return (key) => {
    const index = raw.split("\n").findIndex((line) => /^["']?(.*?)["']?\s*:/.exec(line)?.[1] === key);
    return index === -1 ? undefined : index + firstLine;
  };
}

/**
 * Checks that the values of all known keys of a pushed file can be read.
 * @throws AppError invalid_input that names each key, its line and what to write
 */
export function assertHeaderReadable(text: string): void {
  const report = createReport("");
  const { values, lineOf } = readHeader(text, report);
  convertFrontMatter(values, report, lineOf);
  assertKnownKeysReadable(report);
}

function readYamlHeader(raw: string, firstLine: number, report: ConversionReport): Record<string, unknown> {
  const values = readYaml(raw, firstLine);
  reportComments(
    yamlComments(raw).map(({ text, line }) => ({ text, line: line + firstLine - 1 })),
    report,
  );
  return values;
}

function reportComments([first, ...more]: readonly { text: string; line: number }[], report: ConversionReport): void {
  if (first === undefined) return;
  report.add("front-matter", texts.comments({ first: first.text, more: more.length }), first.line);
}

/** Creates a function that returns the line of the file for a line of the parsed text. */
function createOriginOfLine(lines: readonly SourceLine[]): (line: number) => number {
  const blank = Math.max(
    0,
    lines.findIndex((line) => !isBlankLine(line.text)),
  );
  return (line) => lines[line - 1 + blank]?.origin ?? 1;
}

/**
 * Adds a missing title and description, and shortens long ones; the original text of a shortened one is kept under
 * `x-`.
 */
function completeFrontMatter(front: FrontMatter, tree: Root, path: string, report: ConversionReport): void {
  if (front.title === undefined) {
    front.title = titleFromHeadingOrFileName(tree, path);
    const isName = titleHeading(tree) === undefined;
    const says = isName ? texts.titleFromName : texts.titleFromHeading;
    report.add(isName ? "title-from-name" : "title", says({ title: front.title }));
  }
  if (front.description === undefined) {
    front.description = descriptionOf(tree) ?? front.title;
    report.add("description", texts.description());
  }
  shortenField(front, "title", report, "title");
  shortenField(front, "description", report, "description");
}

function shortenField(
  front: FrontMatter,
  key: "title" | "description",
  report: ConversionReport,
  code: "cut-key" | "title" | "description",
  line?: number,
): void {
  const most = key === "title" ? limits.titleCharacters : limits.descriptionCharacters;
  const value = front[key] ?? "";
  if (value.length <= most) return;
  addExtras(front, [[key, value]]);
  front[key] = shortenAtWord(value, most);
  report.add(code, texts.cut({ key, most }), line);
}
