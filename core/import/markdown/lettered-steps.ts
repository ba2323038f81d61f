import type { ConversionReport } from "./report.ts";
import { texts } from "./note-texts.ts";
import { fencedLineFlags, indentOf, isBlankLine, type SourceLine } from "#core/text/lines.ts";

const step = /^([ \t]*)([a-z]|[ivx]{2,5})\.([ \t]+)(?=\S)/;
const ordinary = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)(?=\S)/;

/** An open list item: its column, the column of its content, and the new column of its content. */
interface OpenListItem {
  indent: number;
  content: number;
  outContent: number;
  /** The number that a lettered step got; undefined for items that Markdown recognizes itself. */
  number: number | undefined;
  isNumeral: boolean;
}

interface LetteredState {
  items: OpenListItem[];
  /** The last number at each indent, for lists that continue after a table or paragraph. */
  last: Map<number, number>;
  mapped: number;
  /** True if the letters stay as text, because the text refers to them. */
  isKept: boolean;
  /** The number of columns by which the current code fence moves. */
  fence: number;
}

/**
 * Converts steps such as `a.` and `i.`, which Markdown doesn't recognize, to numbered steps with the same nesting. If
 * the text refers to letters, as in `2(b)`, the steps become bullets that begin with their letters. Letters outside of
 * such lists stay.
 */
export function convertLetteredSteps(lines: readonly SourceLine[], report: ConversionReport): SourceLine[] {
  const fenced = fencedLineFlags(lines);
  const isKept = hasLetterCitations(lines.filter((_, index) => !fenced[index]));
  const state: LetteredState = { items: [], last: new Map(), mapped: 0, isKept, fence: 0 };
  let first: number | undefined;
  const out = lines.map((line, index) => {
    if (isBlankLine(line.text)) return line;
    const above = lines[index - 1]?.text ?? "";
    if (fenced[index]) return { ...line, text: movedFenceLine(line.text, above, !fenced[index - 1], state) };
    const text = convertStepLine(line.text, above, state);
    if (state.mapped > 0) first ??= line.origin;
    return { ...line, text };
  });
  if (state.mapped > 0) {
    const says = isKept ? texts.lettersKept : texts.letters;
    report.add("lettered-steps", says({ count: state.mapped }), first);
  }
  return out;
}

const cited =
  /(?:(?<=\d ?)\(?|(?<![\p{L}\p{N}_])\()(?<mark>[a-z]|[ivx]{2,5})\)|\b(?:[Ss]tep|[Ii]tem|[Pp]oint|[Ss]ection|[Cc]lause|[Rr]ule|[Ll]etter)s? (?<named>[b-hj-z]|[ai](?=[.,;)]))(?![\p{L}\p{N}_'’])/gu;

/** Tells whether any line refers to a letter that begins another line. */
function hasLetterCitations(lines: readonly SourceLine[]): boolean {
  const marks = new Set(lines.flatMap(({ text }) => step.exec(text)?.[2] ?? []));
  // if each step begins with the same letter, readers count the steps themselves, so any letter can be meant
  const isCounted = [...marks].every((mark) => mark === "a" || mark === "i");
  return (
    marks.size > 0 &&
    lines.some(({ text }) =>
      [...text.matchAll(cited)].some(({ index, groups }) => {
        const mark = groups?.["mark"] ?? groups?.["named"] ?? "";
        const isElsewhere = text.slice(0, index).trim() !== "" && step.exec(text)?.[2] !== mark;
        return isElsewhere && (marks.has(mark) || (isCounted && /^[a-h]$|^[ivx]{2,}$/.test(mark)));
      }),
    )
  );
}

function convertStepLine(text: string, above: string, state: LetteredState): string {
  const indent = indentOf(text);
  const apart = isBlankLine(above) || isHeadingLine(above);
  const marker = ordinary.exec(text);
  if (marker !== null) return addOrdinaryItem(text, indent, marker[2] ?? "", state);
  const found = step.exec(text);
  const mapped = found === null ? undefined : convertLetteredStep(found, text, indent, apart, state);
  if (mapped !== undefined) return mapped;
  if (isHeadingLine(text)) {
    state.items = [];
    state.last.clear();
  }
  if (!apart) return text;
  closeItems(state, indent);
  const by = contentShiftOf(indent, state.items.at(-1));
  return by === 0 ? text : " ".repeat(indent + by) + text.trimStart();
}

/** Returns a line of a code fence, moved by as many columns as the first line of the fence. */
function movedFenceLine(text: string, above: string, first: boolean, state: LetteredState): string {
  if (first) {
    if (isBlankLine(above)) closeItems(state, indentOf(text));
    state.fence = contentShiftOf(indentOf(text), state.items.at(-1));
  }
  if (state.fence === 0) return text;
  return " ".repeat(Math.max(0, indentOf(text) + state.fence)) + text.trimStart();
}

function isHeadingLine(text: string): boolean {
  return /^#{1,6}(?:[ \t]|$)/.test(text);
}

function addOrdinaryItem(text: string, indent: number, marker: string, state: LetteredState): string {
  closeItemsAtIndent(state, indent);
  const parent = state.items.at(-1);
  const at = parent?.number !== undefined || hasItemMoved(parent) ? columnInsideParent(parent, indent) : indent;
  const width = marker.trimEnd().length + Math.min(4, marker.length - marker.trimEnd().length);
  state.items.push({ indent, content: indent + width, outContent: at + width, number: undefined, isNumeral: false });
  return at === indent ? text : " ".repeat(at) + text.trimStart();
}

/** Tells whether the content of an item begins in another column than before, so that the content must move. */
function hasItemMoved(item: OpenListItem | undefined): item is OpenListItem {
  return item !== undefined && item.outContent !== item.content;
}

function convertLetteredStep(
  found: RegExpExecArray,
  text: string,
  indent: number,
  apart: boolean,
  state: LetteredState,
): string | undefined {
  const mark = found[2] ?? "";
  const nearest = state.items.findLast((item) => item.indent <= indent + 1 && item.indent >= indent - 1);
  const open = nearest?.number === undefined ? undefined : nearest.number;
  const goesOn = open === undefined ? undefined : continuedStepNumber(mark, open, nearest?.isNumeral === true);
  const begins = open === undefined ? openingStepNumber(mark, indent, apart, state) : firstStepNumberOf(mark);
  const number = goesOn ?? begins;
  if (number === undefined) return undefined;
  closeItemsAtIndent(state, indent);
  const at = columnInsideParent(state.items.at(-1), indent);
  const isNumeral = goesOn === undefined ? mark === "i" : nearest?.isNumeral === true;
  const marker = state.isKept ? "- " : `${number}. `;
  const label = state.isKept ? `${shownLetterOfStep(mark, number, isNumeral)}. ` : "";
  state.items.push({ indent, content: indent + mark.length + 2, outContent: at + marker.length, number, isNumeral });
  for (const deeper of state.last.keys()) if (deeper > indent) state.last.delete(deeper);
  state.last.set(indent, number);
  state.mapped += 1;
  return `${" ".repeat(at)}${marker}${label}${text.slice(found[0].length)}`;
}

/** Returns the letter of a step: as written, or the counted one if each step has the same letter. */
function shownLetterOfStep(mark: string, number: number, isNumeral: boolean): string {
  if (possibleNumbersOfMark(mark).includes(number)) return mark;
  return (isNumeral ? numerals[number - 1] : String.fromCharCode(96 + Math.min(number, 26))) ?? mark;
}

/**
 * Returns the number of a step that can begin a list: `a.` or `i.`, after a blank line or inside another item;
 * undefined for others.
 */
function openingStepNumber(mark: string, indent: number, apart: boolean, state: LetteredState): number | undefined {
  const inside = state.items.some((item) => item.indent + 1 < indent);
  if (!inside && (!apart || indent > 3)) return undefined;
  const last = state.last.get(indent);
  if (last !== undefined && apart && possibleNumbersOfMark(mark).includes(last + 1)) return last + 1;
  return firstStepNumberOf(mark);
}

const firstStepNumberOf = (mark: string): number | undefined => (mark === "a" || mark === "i" ? 1 : undefined);

/**
 * Returns the next number if the letter continues the list, else undefined: writers count on, or write `a.` each time.
 * `i.` below `b.` begins a new list.
 */
function continuedStepNumber(mark: string, last: number, isNumeral: boolean): number | undefined {
  const isCounted = mark === (isNumeral ? "i" : "a");
  return isCounted || possibleNumbersOfMark(mark).includes(last + 1) || possibleNumbersOfMark(mark).includes(last)
    ? last + 1
    : undefined;
}

const numerals = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv"];

function possibleNumbersOfMark(mark: string): number[] {
  const letter = mark.length === 1 ? [mark.charCodeAt(0) - 96] : [];
  return numerals.includes(mark) ? [...letter, numerals.indexOf(mark) + 1] : letter;
}

/** Closes open items at this depth (within one column) and deeper ones. */
function closeItemsAtIndent(state: LetteredState, indent: number): void {
  while (state.items.length > 0 && (state.items.at(-1)?.indent ?? 0) >= indent - 1) state.items.pop();
}

/** Closes items whose content has a larger indent than this text after a blank line. */
function closeItems(state: LetteredState, indent: number): void {
  for (let item = state.items.at(-1); item !== undefined; item = state.items.at(-1)) {
    const under = item.number === undefined ? indent >= item.content : indent > item.indent + 1;
    if (under) return;
    state.items.pop();
  }
}

/**
 * Returns the new column of an item inside `parent`, at least the column of the parent's content, because further left
 * the item would become a sibling.
 */
function columnInsideParent(parent: OpenListItem | undefined, indent: number): number {
  if (parent === undefined) return indent;
  return parent.outContent + Math.min(3, Math.max(0, indent - parent.content));
}

/** Returns the number of columns by which content with this indent moves, so that it stays inside `item`. */
function contentShiftOf(indent: number, item: OpenListItem | undefined): number {
  if (item === undefined) return 0;
  if (item.number !== undefined) return Math.max(item.outContent, indent + item.outContent - item.content) - indent;
  return hasItemMoved(item) ? item.outContent - item.content : 0;
}
