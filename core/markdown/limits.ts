import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { refusals } from "./refusals.ts";

/** The limits of a Markdown text. `bytes` are bytes of UTF-8, all other values are counts. */
export const markdownLimits = {
  bytes: limits.document,
  nesting: 20,
  /** Paragraphs, headings, list items and table rows. The densest real SOP would have 20,400 of them at 1 MiB. */
  blocks: 48_000,
  /**
   * Lines where a quote, a list or a footnote begins or changes its depth, and underlined headings. They make micromark
   * slow, because it copies all earlier ones for each. The densest real SOP would have 7,600 at 1 MiB.
   */
  turns: 16_000,
  cells: 120_000,
  /** The number of delimiter runs (`*`, `_`, `~`) in one paragraph. */
  delimiterRuns: 4_000,
  /** The sum of the squares of all paragraphs' delimiter runs. Pairing them takes this much time. */
  delimiterPairs: 48_000_000,
  /** The number of open brackets in one paragraph. */
  openBrackets: 1_000,
  /** The sum of the squares of all paragraphs' open brackets. */
  bracketPairs: 4_000_000,
} as const;

/** @throws AppError `too_large` for a text of more than `atMost` bytes of UTF-8 */
export function assertSize(text: string, atMost: number = markdownLimits.bytes): void {
  if (utf8Length(text) > atMost) {
    throw new AppError("too_large", refusals.largerThan({ kibibytes: atMost / 1024 }));
  }
}

/**
 * Refuses, in linear time, texts that a parser would need seconds for; the worker's deadline catches the rest. The
 * check of a dense text can take 0.1 s, so a server calls it in a worker.
 * @param atMost maximum bytes for a text larger than a document; limits for markup grow in proportion
 * @throws AppError `too_large` beyond `atMost`, `unprocessable` for nesting or markup that no real document has
 */
export function assertParsable(text: string, atMost: number = markdownLimits.bytes): void {
  assertSize(text, atMost);
  const times = atMost > markdownLimits.bytes ? Math.max(1, utf8Length(text) / markdownLimits.bytes) : 1;
  const structure = createStructureCounter();
  const depthOf = createDepthCounter();
  const isFenced = createFenceTracker();
  let runs = 0;
  let pairs = 0;
  let brackets = 0;
  let bracketPairs = 0;
  let number = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    number += 1;
    if (!isFenced(line) && depthOf(line) > markdownLimits.nesting) throwTextRefusal("depth", number);
    const { blocks, turns, cells, isApart, isCode } = structure(line);
    if (isApart) runs = 0;
    if (isApart) brackets = 0;
    const moreRuns = isCode ? 0 : countMatches(line, delimiterRun);
    pairs += moreRuns * (moreRuns + 2 * runs);
    runs += moreRuns;
    const moreBrackets = isCode ? 0 : countMatches(line, openBracket);
    bracketPairs += moreBrackets * (moreBrackets + 2 * brackets);
    brackets += moreBrackets;
    if (runs > markdownLimits.delimiterRuns) throwTextRefusal("emphasisAtOnce", number);
    if (pairs > markdownLimits.delimiterPairs * times) throwTextRefusal("emphasis", number);
    if (brackets > markdownLimits.openBrackets) throwTextRefusal("bracketsAtOnce", number);
    if (bracketPairs > markdownLimits.bracketPairs * times) throwTextRefusal("brackets", number);
    if (blocks > markdownLimits.blocks * times) throwTextRefusal("blocks", number);
    if (turns > markdownLimits.turns * times) throwTextRefusal("lists", number);
    if (cells > markdownLimits.cells * times) throwTextRefusal("cells", number);
  }
}

const markerLine = /^[ \t]*(?:[#|<\-=*_+]|`{3}|~{3}|\[\^[^\]]*\]:)/;
const underline = /^[ \t]*(?:-+|=+)[ \t]*$/;
const footnote = /^[ \t]*\[\^[^\]]*\]:/;
/** Matches a list item or a heading. */
const startsApart = /^[ \t>]*(?:[-+*]|\d{1,9}[.)]|#{1,6})[ \t]/;
const delimiterRow = /^[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/;
const fenceStart = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;

interface NestingCounts {
  blocks: number;
  turns: number;
  cells: number;
  /** True if the line belongs to another paragraph than the line before it. */
  isApart: boolean;
  /** True for a line of fenced code, in which no markup counts. */
  isCode: boolean;
}

/**
 * Returns a function that takes a text line by line and returns the counts of blocks, depth changes and cells so far, in
 * one object that each call changes. Lines of fenced code add nothing.
 */
function createStructureCounter(): (line: string) => NestingCounts {
  const counted: NestingCounts = { blocks: 0, turns: 0, cells: 0, isApart: true, isCode: false };
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
    const now = containerMarks(line).replace(/\d+/g, "1");
    const cells = countCellsOfLine(line);
    inTable ||= cells === cellsBefore && delimiterRow.test(line);
    cellsBefore = cells;
    counted.isApart ||= inTable || startsApart.test(line);
    // HTML and containers can contain text that looks like a fence; only a fence at the margin of a text without HTML
    // is certain
    sawHtml ||= /^[ >]*</.test(line);
    const opened = sawHtml ? null : fenceStart.exec(line);
    fence = opened?.[1] ?? opened?.[2] ?? "";
    counted.isCode = fence !== "";
    if (afterBlank || now !== "" || markerLine.test(line)) counted.blocks += 1;
    if (now !== "" && now !== marks) counted.turns += 1;
    // each list mark on a line after the first opens another list
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

function countCellsOfLine(line: string): number {
  return line
    .replace(/^[ \t>]*\|?/, "")
    .replace(/\|[ \t]*$/, "")
    .split(/(?<!\\)\|/).length;
}

/** The quote and list marks at the beginning of a line, with its indentation. */
function containerMarks(line: string): string {
  let end = 0;
  container.lastIndex = 0;
  while (container.test(line)) end = container.lastIndex;
  return line.slice(0, end);
}

const delimiterRun = /[*_~`]+/g;
const openBracket = /!?\[/g;
const container = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;

const oneContainer = /(?:>|([-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;
const ruleLine = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/**
 * Returns a function that takes a text line by line and counts the quotes and lists around each line: at least as many
 * as the parser finds. A list contains the lines that are indented to its text, and a quote has its mark on every line.
 */
function createDepthCounter(): (line: string) => number {
  /** The columns at which the texts of the open lists begin. */
  const open: number[] = [];
  return (text) => {
    const line = text.includes("\t") ? withoutTabs(text) : text;
    let quotes = 0;
    let isMarked = false;
    for (let at = indexAfterSpaces(line, 0); at < line.length; at = indexAfterSpaces(line, at)) {
      if (ruleLine.test(line.slice(at))) break;
      oneContainer.lastIndex = at;
      const [mark, list] = oneContainer.exec(line) ?? [];
      if (mark === undefined) break;
      isMarked = true;
      if (list === undefined) quotes += 1;
      else {
        while ((open.at(-1) ?? 0) > at) open.pop();
        open.push(at + mark.length + 1);
      }
      at += mark.length;
      if (quotes + open.length > markdownLimits.nesting) break;
    }
    return isMarked ? quotes + open.length : 0;
  };
}

function withoutTabs(line: string): string {
  let out = "";
  for (const character of line) out += character === "\t" ? " ".repeat(4 - (out.length % 4)) : character;
  return out;
}

/** The index of the first character after spaces. */
function indexAfterSpaces(line: string, from: number): number {
  let at = from;
  while (line[at] === " ") at += 1;
  return at;
}

interface QuotedFence {
  mark: string;
  /** The number of quotes around the fence. */
  quotes: number;
  /** The number of spaces before the fence, inside the innermost quote. */
  indent: number;
}

/**
 * Returns a function that takes a text line by line and tells which lines are fenced code, because these can't open
 * quotes or lists. It only says so if no other reading of the earlier lines is possible. Once HTML or an uneven indent
 * leaves a doubt, it says no for all further lines.
 */
function createFenceTracker(): (line: string) => boolean {
  let fence: QuotedFence | undefined;
  /** Matches the end of the HTML that is open. */
  let html: RegExp | undefined;
  let isUnsure = false;
  let isInText = false;
  return (text) => {
    if (isUnsure) return false;
    const wasInText = isInText;
    isInText = text.trim() !== "";
    const line = text.includes("\t") ? withoutTabs(text) : text;
    if (fence !== undefined) {
      const state = stateInFence(line, fence);
      if (state === "unsure") isUnsure = true;
      if (state === "closed" || state === "ended") fence = undefined;
      if (state === "closed") isInText = false;
      if (state !== "ended") return state !== "unsure";
    }
    const start = indexAfterSpaces(line, containerMarks(line).length);
    const opened = fenceStart.exec(line.slice(start));
    if (html !== undefined) {
      isUnsure = opened !== null;
      if (html.test(line)) html = undefined;
      return false;
    }
    const quotes = line.slice(0, start).split(">").length - 1;
    if (opened === null) {
      html = endOfHtml(line.slice(start), quotes);
      return false;
    }
    // a list number can be text, and inside a paragraph a bullet can be text too
    isUnsure = (wasInText ? /[^ >]/ : /\d/).test(line.slice(0, start));
    const inner = line.lastIndexOf(">", start - 1) + 1;
    fence = { mark: opened[1] ?? opened[2] ?? "", quotes, indent: start - (start === 0 ? 0 : inner) };
    return !isUnsure;
  };
}

function stateInFence(line: string, { mark, quotes, indent }: QuotedFence): "code" | "closed" | "ended" | "unsure" {
  const rest = lineInsideQuotes(line, quotes);
  if (rest === undefined) return "ended";
  const start = indexAfterSpaces(rest, 0);
  if (start === rest.length) return "code";
  // a fence that is indented by four spaces or more is in a list, and a line at the margin ends the list
  if (start < indent) return quotes === 0 && start === 0 && indent > 3 ? "ended" : "unsure";
  const closing = /^(`{3,}|~{3,}) *$/.exec(rest.slice(start))?.[1];
  if (closing?.startsWith(mark) !== true) return "code";
  if (start === indent) return "closed";
  if (indent > 0 || quotes > 0) return "unsure";
  return start > 3 ? "code" : "closed";
}

/** The text of a line inside this many quotes; undefined for a line in fewer quotes. */
function lineInsideQuotes(line: string, quotes: number): string | undefined {
  let at = 0;
  for (let left = quotes; left > 0; left -= 1) {
    at = indexAfterSpaces(line, at);
    if (line[at] !== ">") return undefined;
    at += 1;
  }
  return line.slice(at);
}

/**
 * Matches the end of the HTML block that this text opens; undefined if it opens none, or one that ends on the same
 * line.
 */
function endOfHtml(text: string, quotes: number): RegExp | undefined {
  if (!text.startsWith("<")) return undefined;
  if (text.startsWith("<!--")) return text.includes("-->") ? undefined : /-->/;
  if (/^<(?:script|pre|style|textarea)\b/i.test(text)) {
    return /<\/(?:script|pre|style|textarea)>/i.test(text) ? undefined : /<\/(?:script|pre|style|textarea)>/i;
  }
  // a line with further quotes is part of the HTML
  return /^<[?!]/.test(text) ? /(?!)/ : new RegExp(`^(?: *>){0,${quotes}} *$`);
}

function countMatches(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}

type Excess = "depth" | "emphasisAtOnce" | "emphasis" | "bracketsAtOnce" | "brackets" | "blocks" | "lists" | "cells";

function throwTextRefusal(why: Excess, line: number): never {
  throw new AppError("unprocessable", refusals.unprocessable({ why, line }), { line });
}

/** The length of `text` in bytes of UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // A surrogate pair has two code units and four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
