import type { Link, PhrasingContent } from "mdast";
import { markDelimiters } from "./delimiters.ts";
import { flattenInline, type EmphasisNode, type FlatInline } from "./inline.ts";
import { markLineStarts } from "./line-start.ts";
import { backslash, reference, type InlineContext } from "./place.ts";

const special = /[\\`*_~<&[\]|\n\t!]|^[\s#>+=:.\d-]|[\s#]$/;

/**
 * Writes inline content with the fewest backslashes that keep its meaning. Emphasis that marks can't express becomes
 * HTML tags.
 */
export function writeInline(nodes: readonly PhrasingContent[], place: InlineContext): string {
  const asTags = new Set<EmphasisNode>();
  const notBare = new Set<Link>();
  for (let round = 1; ; round += 1) {
    const before = notBare.size;
    const flat = flattenInline(nodes, { angled: place.angled || place.plain, asTags, notBare });
    if (asTags.size > 0 && notBare.size > before) {
      // marks can work beside the other form of an address
      asTags.clear();
      round = 0;
      continue;
    }
    const { text, broken } = escapeInline(flat, place);
    if (broken.length === 0) return text;
    // tags change the neighbors of other marks, so the text is checked again; after 5 rounds, all marks become tags
    for (const node of round < 5 ? broken : flat.marks.map((mark) => mark.node)) asTags.add(node);
  }
}

function escapeInline(flat: FlatInline, place: InlineContext): { text: string; broken: EmphasisNode[] } {
  if (!special.test(flat.text)) return { text: flat.text, broken: [] };
  const marks = new Uint8Array(flat.text.length);
  markCharacters(flat, place, marks);
  markBrackets(flat, place, marks);
  const broken = markDelimiters(flat, place, marks);
  if (broken.length > 0) return { text: "", broken };
  markBackticks(flat, marks);
  markEdgeSpaces(flat, place, marks);
  if (place.kind === "paragraph") markLineStarts(flat, place, marks);
  escapeInAddresses(flat, marks);
  return { text: writeEscapedText(flat, place, marks), broken };
}

function writeEscapedText({ text, mask }: FlatInline, place: InlineContext, marks: Uint8Array): string {
  let out = "";
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (marks[index] === reference && character === "\u00a0") out += "&nbsp;";
    else if (marks[index] === reference) {
      const code = text.codePointAt(index) ?? 0;
      out += `&#x${code.toString(16).toUpperCase()};`;
      if (code > 0xffff) index += 1;
    } else if (marks[index] === backslash) out += `\\${character}`;
    else if (place.kind === "cell" && character === "|" && mask[index] !== "t") out += "\\|";
    else out += character;
  }
  return out;
}

function markCharacters({ text, mask }: FlatInline, place: InlineContext, marks: Uint8Array): void {
  for (let index = 0; index < text.length; index += 1) {
    if (mask[index] !== "t") continue;
    const next = text.charAt(index + 1);
    switch (text[index]) {
      case "\\":
        if (/[!-/:-@[-`{-~\n]/.test(next) || place.plain) marks[index] = backslash;
        break;
      case "<":
        if (/[A-Za-z/!?]/.test(next) && (place.plain || text.includes(">", index))) marks[index] = backslash;
        break;
      case "&":
        if (/^&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{0,31});/.test(text.slice(index, index + 34))) {
          marks[index] = backslash;
        }
        break;
      case "!":
        if (next === "[" && mask[index + 1] === "m") marks[index] = backslash;
        break;
      case "|":
        if (place.kind === "cell") marks[index] = backslash;
        break;
    }
  }
}

const resource =
  /^\([ \t\n]*(?:<(?:[^<>\n\\]|\\.)*>|(?:[^\s()<\\]|\\.|\((?:[^\s()\\]|\\.|\([^\s()]*\))*\))+(?:[^\s()\\]|\\.)*)?(?:[ \t\n]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t\n]*\)/;

/** Escapes a bracket that would start a link, reference, footnote or checkbox, or end a label early. */
function markBrackets({ text, mask }: FlatInline, place: InlineContext, marks: Uint8Array): void {
  const open: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (mask[index] === "o" || (character !== "[" && character !== "]")) continue;
    if (character === "[") {
      open.push(index);
    } else if (mask[index] === "m") {
      while (open.length > 0 && mask[open.at(-1) ?? 0] === "t") marks[open.pop() ?? 0] = backslash;
      open.pop();
    } else if (open.length > 0 && mask[open.at(-1) ?? 0] === "m") {
      marks[index] = backslash;
    } else {
      const start = open.pop();
      if (start !== undefined && (place.plain || isLink(text, start, index, place))) marks[start] = backslash;
    }
  }
  if (place.opensItem && mask[0] === "t" && /^\[[ \txX]\](?:\s|$)/.test(text)) marks[0] = backslash;
}

function isLink(text: string, start: number, end: number, { labels }: InlineContext): boolean {
  const after = text[end + 1];
  if (after === "(" && resource.test(text.slice(end + 1))) return true;
  if (labels.size === 0) return false;
  // `[text][^1]` is no full reference: the second bracket is a reference to a footnote
  const label = after === "[" ? /^\[((?!\^)[^[\]]+)\]/.exec(text.slice(end + 1))?.[1] : undefined;
  return (
    labels.has(normaliseLabel(label ?? text.slice(start + 1, end))) ||
    labels.has(normaliseLabel(text.slice(start + 1, end)))
  );
}

/** Normalizes a label for comparison as CommonMark does: white space collapsed, case folded. */
export function normaliseLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, " ")
    .replace(/^ | $/g, "")
    .toLowerCase()
    .toUpperCase();
}

/** Escapes backticks that would pair up, which happens for runs of equal length. */
function markBackticks({ text, mask }: FlatInline, marks: Uint8Array): void {
  const seen = new Map<number, number>();
  const runs = [...text.matchAll(/`+/g)];
  for (const run of runs) seen.set(run[0].length, (seen.get(run[0].length) ?? 0) + 1);
  for (const run of runs) {
    const kinds = mask.slice(run.index, run.index + run[0].length);
    if (!kinds.includes("t")) continue;
    if ((seen.get(run[0].length) ?? 0) < 2 && !kinds.includes("o")) continue;
    for (let at = 0; at < run[0].length; at += 1) if (kinds[at] === "t") marks[run.index + at] = backslash;
  }
}

/**
 * Breaks addresses that contain or meet an escaped character. In a bare address, a backslash is an ordinary character:
 * `https://a.example\\<b>` would link the backslash and leave HTML. An escaped colon or dot keeps such text from being
 * an address.
 */
function escapeInAddresses({ text, mask }: FlatInline, marks: Uint8Array): void {
  for (const { 0: address, index, indices } of text.matchAll(/(?:https?(:)\/\/|www(\.))[^\s<]*<?/dgi)) {
    if (!marks.subarray(index, index + address.length).includes(backslash)) continue;
    const [at = index] = indices?.[1] ?? indices?.[2] ?? [];
    if (mask[at] === "t") marks[at] = backslash;
  }
}

/** Writes spaces at the edge of a line as character references, because parsers drop them. */
function markEdgeSpaces({ text, mask }: FlatInline, place: InlineContext, marks: Uint8Array): void {
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (mask[index] !== "t") continue;
    if (character === "\n" && place.kind !== "paragraph") marks[index] = reference;
    if (!/[ \t\u00a0]/.test(character ?? "") && !isBlankLine(text, index)) continue;
    if (isAtEdge(text, index, -1) || isAtEdge(text, index, 1)) marks[index] = reference;
  }
  const hashes = place.kind === "heading" ? /(?:^|[ \t])(#+)$/.exec(text)?.[1] : undefined;
  if (hashes !== undefined && mask.at(-1) === "t") marks[text.length - hashes.length] = backslash;
}

/** Some parsers take a line of wide or no-break spaces for a blank line, which ends the paragraph. */
function isBlankLine(text: string, index: number): boolean {
  if (!/\s/.test(text.charAt(index)) || text[index] === "\n") return false;
  const start = text.lastIndexOf("\n", index) + 1;
  const end = text.indexOf("\n", index);
  return text.slice(start, end === -1 ? text.length : end).trim() === "";
}

/** Tells whether a space is at the edge of a line. A reference for the outermost space also keeps those further in. */
function isAtEdge(text: string, index: number, step: number): boolean {
  const next = text[index + step];
  return next === undefined || next === "\n";
}
