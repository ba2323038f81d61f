import type { Nodes } from "mdast";

/** A placeholder for code, images and other parts that aren't words. No rule treats it as a known word. */
export const nonWord = "\uFFFC";

/** The words of a paragraph, a heading or a cell, and their offsets in the file. */
export interface Prose {
  node: Nodes;
  text: string;
  /** Translates a range of `text` into offsets in the file. */
  offsetsInFile(start: number, end: number): { start: number; end: number };
}

interface ProsePiece {
  /** The offset of the piece in the prose. */
  at: number;
  value: string;
  start: number;
  end: number;
}

/** Reads the words inside a node; `source` is the whole file. */
export function readProse(node: Nodes, source: string): Prose {
  const pieces: ProsePiece[] = [];
  const text = collectProse(node, pieces, "");
  return {
    node,
    text,
    offsetsInFile(start, end) {
      const from = proseOffsetInSource(start, pieces, source);
      return {
        start: from,
        end: Math.max(from, end === start ? from : proseOffsetInSource(end - 1, pieces, source) + 1),
      };
    },
  };
}

function collectProse(node: Nodes, pieces: ProsePiece[], before: string): string {
  if ("children" in node) {
    let text = before;
    for (const child of node.children) text = collectProse(child, pieces, text);
    return text;
  }
  const value = proseTextOf(node);
  if (value === "") return before;
  pieces.push({
    at: before.length,
    value,
    start: node.position?.start.offset ?? 0,
    end: node.position?.end.offset ?? 0,
  });
  return before + value;
}

function proseTextOf(node: Nodes): string {
  switch (node.type) {
    case "text":
      return node.value;
    case "break":
      return "\n";
    case "html":
      return /^<br\b/i.test(node.value) ? "\n" : "";
    default:
      return nonWord;
  }
}

function proseOffsetInSource(index: number, pieces: readonly ProsePiece[], source: string): number {
  const piece = pieces.findLast(({ at }) => at <= index);
  if (piece === undefined) return 0;
  const raw = source.slice(piece.start, piece.end);
  return piece.start + (raw === piece.value ? index - piece.at : writtenOffsetOf(raw, piece.value, index - piece.at));
}

const reference = /&(?:#\d+|#x[\da-f]+|\w+);/iy;

/**
 * The offset in `raw` at which the character `wanted` of `value` is written. `raw` also contains escapes, character
 * references and line prefixes.
 */
export function writtenOffsetOf(raw: string, value: string, wanted: number): number {
  let at = 0;
  for (let index = 0; index < wanted; index += 1)
    at = nextOffsetOf(raw, at, value.charAt(index)) + writtenLength(raw, at, value, index);
  return Math.min(nextOffsetOf(raw, at, value.charAt(wanted)), raw.length);
}

/** The next offset in `raw` of a character, written directly or as a character reference. */
function nextOffsetOf(raw: string, from: number, character: string): number {
  for (let at = from; at < raw.length; at += 1) {
    if (raw.charAt(at) === "\\" && raw.charAt(at + 1) === character) return at + 1;
    if (raw.charAt(at) === character || isCharacterReferenceAt(raw, at)) return at;
  }
  return from;
}

function isCharacterReferenceAt(raw: string, at: number): boolean {
  reference.lastIndex = at;
  return raw.charAt(at) === "&" && reference.test(raw);
}

function writtenLength(raw: string, from: number, value: string, index: number): number {
  const at = nextOffsetOf(raw, from, value.charAt(index));
  reference.lastIndex = at;
  return raw.charAt(at) === "&" ? (reference.exec(raw)?.[0].length ?? 1) : 1;
}
