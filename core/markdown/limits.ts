import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";

/** The limits of a Markdown text. `bytes` are bytes of UTF-8, all others are counts. */
export const markdownLimits = {
  bytes: limits.document,
  nesting: 20,
  /** Paragraphs, headings, list items, table rows. The densest real SOP would have 20,400 at 1 MiB. */
  blocks: 48_000,
  /**
   * Places where a quote, a list or a footnote begins or changes its depth, and underlined headings. For each, micromark
   * copies all earlier ones of the part it reads. The densest real SOP would have 7,600 at 1 MiB.
   */
  turns: 16_000,
  /** Cells of tables. */
  cells: 120_000,
  /** In one paragraph. */
  delimiterRuns: 4_000,
  /** The squares of all paragraphs' delimiter runs together: pairing them takes that much. */
  delimiterPairs: 48_000_000,
  /** In one paragraph. */
  openBrackets: 1_000,
  /** The squares of all paragraphs' open brackets together. */
  bracketPairs: 4_000_000,
} as const;

/** @throws AppError `too_large` beyond `atMost` bytes of UTF-8 */
export function assertSize(text: string, atMost: number = markdownLimits.bytes): void {
  if (utf8Length(text) > atMost) {
    throw new AppError("too_large", `The text is larger than ${atMost / 1024} KiB`);
  }
}

/**
 * Refuses in linear time what would keep a parser busy for seconds; the worker's deadline catches the rest. A dense text can
 * take 0.1 s: a server calls this in a worker.
 * @param atMost bytes of a text that is larger than a document: it can hold as much more markup as it is larger
 * @throws AppError `too_large` beyond `atMost`, `unprocessable` for nesting or markup no document has
 */
export function assertParsable(text: string, atMost: number = markdownLimits.bytes): void {
  assertSize(text, atMost);
  const times = atMost > markdownLimits.bytes ? Math.max(1, utf8Length(text) / markdownLimits.bytes) : 1;
  const structure = createStructureCounter();
  let runs = 0;
  let pairs = 0;
  let brackets = 0;
  let bracketPairs = 0;
  let number = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    number += 1;
    if (containerDepth(line) > markdownLimits.nesting) refuse("quotes or lists are nested too deeply", number);
    const { blocks, turns, cells, isApart, isCode } = structure(line);
    if (isApart) runs = 0;
    if (isApart) brackets = 0;
    const moreRuns = isCode ? 0 : count(line, delimiterRun);
    pairs += moreRuns * (moreRuns + 2 * runs);
    runs += moreRuns;
    const moreBrackets = isCode ? 0 : count(line, openBracket);
    bracketPairs += moreBrackets * (moreBrackets + 2 * brackets);
    brackets += moreBrackets;
    if (runs > markdownLimits.delimiterRuns) refuse("one paragraph holds too many emphasis marks", number);
    if (pairs > markdownLimits.delimiterPairs * times) refuse("it holds too many emphasis marks", number);
    if (brackets > markdownLimits.openBrackets) refuse("one paragraph holds too many brackets", number);
    if (bracketPairs > markdownLimits.bracketPairs * times) refuse("it holds too many brackets", number);
    if (blocks > markdownLimits.blocks * times) refuse("it holds too many headings, paragraphs and list items", number);
    if (turns > markdownLimits.turns * times) refuse("it holds too many lists, quotes and footnotes", number);
    if (cells > markdownLimits.cells * times) refuse("its tables hold too many cells", number);
  }
}

const markerLine = /^[ \t]*(?:[#|<\-=*_+]|`{3}|~{3}|\[\^[^\]]*\]:)/;
const underline = /^[ \t]*(?:-+|=+)[ \t]*$/;
const footnote = /^[ \t]*\[\^[^\]]*\]:/;
/** A list item or a heading. */
const startsApart = /^[ \t>]*(?:[-+*]|\d{1,9}[.)]|#{1,6})[ \t]/;
const delimiterRow = /^[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/;
const fenceStart = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;

interface Structure {
  blocks: number;
  turns: number;
  cells: number;
  /** The line shares no paragraph with the one before it. */
  isApart: boolean;
  /** The line is fenced code: no marks in it count. */
  isCode: boolean;
}

/** Counts what the lines of a text open, one line after the other; the lines of fenced code open nothing. */
function createStructureCounter(): (line: string) => Structure {
  const counted: Structure = { blocks: 0, turns: 0, cells: 0, isApart: true, isCode: false };
  let marks = "";
  let afterBlank = true;
  let fence = "";
  let sawHtml = false;
  let inTable = false;
  let cellsBefore = 0;

  return (line) => {
    counted.isApart = afterBlank;
    counted.isCode = fence !== "";
    if (fence !== "") {
      const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
      if (end?.startsWith(fence)) fence = "";
      return counted;
    }
    if (line.trim() === "") {
      afterBlank = counted.isApart = true;
      inTable = false;
      return counted;
    }
    const now = containerMarks(line);
    const cells = cellsOf(line);
    inTable ||= cells === cellsBefore && delimiterRow.test(line);
    cellsBefore = cells;
    counted.isApart ||= inTable || startsApart.test(line);
    // HTML and containers can hold text that looks like a fence; only one at the margin of a text without HTML is
    // certain
    sawHtml ||= /^[ >]*</.test(line);
    const opened = sawHtml ? null : fenceStart.exec(line);
    fence = opened?.[1] ?? opened?.[2] ?? "";
    counted.isCode = fence !== "";
    if (afterBlank || now !== "" || markerLine.test(line)) counted.blocks += 1;
    if (now !== "" && now !== marks) counted.turns += 1;
    // of several list marks on one line all but the first open a list each
    counted.turns += Math.max(0, (now.match(/[-+*.)]/g)?.length ?? 0) - 1);
    if ((now.includes(">") && afterBlank) || footnote.test(line) || (!afterBlank && underline.test(line))) {
      counted.turns += 2;
    }
    if (line.includes("|")) counted.cells += cells;
    if (now !== "" || afterBlank) marks = now;
    afterBlank = false;
    return counted;
  };
}

function cellsOf(line: string): number {
  return line
    .replace(/^[ \t>]*\|?/, "")
    .replace(/\|[ \t]*$/, "")
    .split(/(?<!\\)\|/).length;
}

/** The quote and list marks a line opens with, its indentation included; all numbers are the same. */
function containerMarks(line: string): string {
  let end = 0;
  container.lastIndex = 0;
  while (container.test(line)) end = container.lastIndex;
  return line.slice(0, end).replace(/\d+/g, "1");
}

const delimiterRun = /[*_~`]+/g;
const openBracket = /!?\[/g;
const container = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;

/** Quote and list marks a line opens with, each indented step counting as one. */
function containerDepth(line: string): number {
  let depth = 0;
  container.lastIndex = 0;
  while (container.test(line)) depth += 1;
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  return depth <= 1 ? depth + (depth === 0 ? 0 : Math.floor(indent / 2)) : depth;
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}

function refuse(why: string, line: number): never {
  throw new AppError("unprocessable", `The text can't be processed: ${why} (line ${line})`, { line });
}

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // A surrogate pair is two units and four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
