/**
 * Removes from a Markdown text the characters that no page shows, and marks that turn text where no script needs them.
 */
import type { MessageWithId } from "#core/language/catalog.ts";
import type { Nodes } from "mdast";
import {
  changesDirection,
  controlNotes,
  needsDirections,
  withoutControlCharacters,
  withoutControlsInLines,
  withoutDirections,
} from "../text/clean-text.ts";
import { eachNode, parseMarkdown } from "./parse.ts";
import { plainText } from "./plain-text.ts";

/**
 * A mark can hide markup, so a text is read again after it lost one. A text that still changes then loses all of them.
 */
const passes = 5;

/**
 * A Markdown text without control characters and without references to them. Those that part words become spaces, and
 * lines stay lines. Marks and isolates of direction stay in each unit (a paragraph, heading, cell or list item) that
 * has a letter or digit from the right.
 */
export function cleanMarkdown(markdown: string): string {
  let text = markdown;
  for (let pass = 0; pass < passes; pass += 1) {
    const next = withoutControlCharacters(withoutReferences(text));
    if (!changesDirection.test(next)) return next;
    const cleaned = needsDirections(next) ? withoutNeedlessDirectionMarks(next) : withoutDirections(next);
    if (cleaned === text) return text;
    text = cleaned;
  }
  return withoutDirections(text);
}

/**
 * Notes for the author on what `cleanMarkdown` changes, one for each line (1-based).
 * @param cleaned the result of `cleanMarkdown`, for callers that have it
 */
export function cleaningNotes(
  markdown: string,
  cleaned: string = cleanMarkdown(markdown),
): { line: number; sentence: MessageWithId }[] {
  return controlNotes(withoutReferences(markdown), cleaned);
}

interface Unit {
  start: number;
  end: number;
  isFromRight: boolean;
}

/** Removes the marks of direction of all units that can't need them. Code counts by line. */
function withoutNeedlessDirectionMarks(text: string): string {
  const units = textUnitsOf(text);
  let out = "";
  let from = 0;
  for (const { start, end, isFromRight } of units) {
    const own = text.slice(start, end);
    out += withoutControlsInLines(text.slice(from, start)) + (isFromRight ? own : withoutDirections(own));
    from = end;
  }
  return out + withoutControlsInLines(text.slice(from));
}

/** The units of a text, in its order. A paragraph of a list item belongs to the item with all that it contains. */
function textUnitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  const known = new Map<Nodes, boolean>();
  const isFromRight = (node: Nodes) => {
    const isOne = known.get(node) ?? needsDirections(plainText(node));
    known.set(node, isOne);
    return isOne;
  };
  eachNode(parseMarkdown(text), (node, parents) => {
    if (!/^(?:paragraph|heading|tableCell|html|definition)$/.test(node.type)) return;
    // HTML within a unit is part of it, and a definition can begin where the heading below it does
    const start = Math.max(node.position?.start.offset ?? 0, units.at(-1)?.end ?? 0);
    const end = node.position?.end.offset ?? 0;
    if (start >= end) return;
    const around = parents.at(-1);
    const isOne = node.type === "definition" ? needsDirections(text.slice(start, end)) : undefined;
    units.push({ start, end, isFromRight: isOne ?? isFromRight(around?.type === "listItem" ? around : node) });
  });
  return units;
}

/** `&rlm;`, `&#8238;`, `&#x202E;`, and the backslashes before it. In HTML, numbers need no semicolon. */
const references = /(?<=(?<!\\)(\\*))&(?:(lrm|rlm);|#(\d+);?|#[xX]([\da-fA-F]+);?)/g;
const maybeReference = /&(?:lrm|rlm|#[\dxX])/;

/** References to characters that change the direction of others, as these characters. In code, they are words. */
function withoutReferences(text: string): string {
  if (!maybeReference.test(text)) return text;
  const apart: { type: string; start: number; end: number }[] = [];
  eachNode(parseMarkdown(text), ({ type, position }) => {
    if (type !== "code" && type !== "inlineCode" && type !== "html") return;
    apart.push({ type, start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 });
  });
  let next = 0;
  return text.replace(references, (written: string, slashes: string, name?: string, decimal?: string, ...more) => {
    const [hex, at] = more as [string | undefined, number];
    while ((apart[next]?.end ?? Infinity) <= at) next += 1;
    const { type, start } = apart[next] ?? { type: "", start: Infinity };
    const kind = start <= at ? type : "text";
    const isWords = slashes.length % 2 === 1 || !written.endsWith(";");
    if (kind !== "html" && (kind !== "text" || isWords)) return written;
    const mark = name === "lrm" ? 0x20_0e : name === "rlm" ? 0x20_0f : Number(decimal ?? `0x${hex}`);
    const character = mark <= 0x10_ff_ff ? String.fromCodePoint(mark) : "";
    return changesDirection.test(character) ? character : written;
  });
}
