/**
 * Removes control characters from a Markdown text, and marks of text direction where no right-to-left text needs them.
 */
import type { MessageWithId } from "#core/language/catalog.ts";
import type { Nodes } from "mdast";
import {
  directionChangePattern,
  notesOnLostCharacters,
  needsDirectionMarks,
  withoutControlCharacters,
  withoutNeedlessControlsInLines,
  withoutDirectionMarks,
} from "../text/clean-text.ts";
import { eachNode, parseMarkdown } from "./parse.ts";
import { plainText } from "./plain-text.ts";

/**
 * The maximum number of passes over a text: a removed mark can uncover markup, so the text is parsed again. A text that
 * still changes in the last pass loses all marks of direction.
 */
const passes = 5;

/**
 * Removes control characters and references to them from a Markdown text. Those that separate words become spaces.
 * Marks of text direction stay in each unit (a paragraph, heading, cell or list item) with a right-to-left letter or
 * digit.
 */
export function cleanMarkdown(markdown: string): string {
  let text = markdown;
  for (let pass = 0; pass < passes; pass += 1) {
    const next = withoutControlCharacters(withDirectionReferencesDecoded(text));
    if (!directionChangePattern.test(next)) return next;
    const cleaned = needsDirectionMarks(next) ? withoutNeedlessDirectionMarks(next) : withoutDirectionMarks(next);
    if (cleaned === text) return text;
    text = cleaned;
  }
  return withoutDirectionMarks(text);
}

/**
 * Notes for the author on what `cleanMarkdown` changes, one for each line (1-based).
 * @param cleaned the result of `cleanMarkdown`, for callers that have it
 */
export function cleaningNotes(
  markdown: string,
  cleaned: string = cleanMarkdown(markdown),
): { line: number; sentence: MessageWithId }[] {
  return notesOnLostCharacters(withDirectionReferencesDecoded(markdown), cleaned);
}

/** A paragraph, heading, cell or list item, as a range of the text. */
interface TextUnit {
  start: number;
  end: number;
  hasRightToLeft: boolean;
}

/** Removes marks of direction from units without right-to-left text. In code and other text, each line is a unit. */
function withoutNeedlessDirectionMarks(text: string): string {
  const units = textUnitsOf(text);
  let out = "";
  let from = 0;
  for (const { start, end, hasRightToLeft } of units) {
    const own = text.slice(start, end);
    out +=
      withoutNeedlessControlsInLines(text.slice(from, start)) + (hasRightToLeft ? own : withoutDirectionMarks(own));
    from = end;
  }
  return out + withoutNeedlessControlsInLines(text.slice(from));
}

/**
 * Returns the units of a text, in order. For a paragraph in a list item, the whole item decides about its direction.
 */
function textUnitsOf(text: string): TextUnit[] {
  const units: TextUnit[] = [];
  const known = new Map<Nodes, boolean>();
  const hasRightToLeft = (node: Nodes) => {
    const isOne = known.get(node) ?? needsDirectionMarks(plainText(node));
    known.set(node, isOne);
    return isOne;
  };
  eachNode(parseMarkdown(text), (node, parents) => {
    if (!/^(?:paragraph|heading|tableCell|html|definition)$/.test(node.type)) return;
    // HTML can be inside another unit, and a definition can begin at the same offset as the heading below it
    const start = Math.max(node.position?.start.offset ?? 0, units.at(-1)?.end ?? 0);
    const end = node.position?.end.offset ?? 0;
    if (start >= end) return;
    const around = parents.at(-1);
    const isOne = node.type === "definition" ? needsDirectionMarks(text.slice(start, end)) : undefined;
    units.push({ start, end, hasRightToLeft: isOne ?? hasRightToLeft(around?.type === "listItem" ? around : node) });
  });
  return units;
}

/** Matches `&rlm;`, `&#8238;` and `&#x202E;` with the backslashes before them. In HTML, numbers need no semicolon. */
const references = /(?<=(?<!\\)(\\*))&(?:(lrm|rlm);|#(\d+);?|#[xX]([\da-fA-F]+);?)/g;
const maybeReference = /&(?:lrm|rlm|#[\dxX])/;

/**
 * Replaces references such as `&rlm;` by the characters that change the text direction. References in code are kept.
 */
function withDirectionReferencesDecoded(text: string): string {
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
    return directionChangePattern.test(character) ? character : written;
  });
}
