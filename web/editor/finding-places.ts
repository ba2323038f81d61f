/**
 * Finds the ranges of findings in the editor. Findings have positions in the Markdown. Its tree and the editor's
 * document are walked side by side, and a block counts only if both have the same text. Other findings are only in the
 * list beside the text.
 */
import type { Blockquote, Nodes, Parents, PhrasingContent } from "mdast";
import type { Node } from "@milkdown/kit/prose/model";
import { writtenOffsetOf } from "#core/lint/prose.ts";
import type { CheckedText } from "#core/sops/schema.ts";
import { parseForPositions } from "./parse-ahead.ts";
import { writeEditorBlock } from "./to-mdast.ts";

/** Lines and columns of the Markdown, from 1; the end is exclusive. */
export type MarkdownPosition = Pick<CheckedText["findings"][number], "line" | "column" | "endLine" | "endColumn">;

/** Positions in the editor's document. `isNode` marks a whole node and not the text in it. */
export interface EditorRange {
  from: number;
  to: number;
  isNode: boolean;
}

/** A piece of the Markdown with its range in the editor's document. */
interface SourcePiece extends EditorRange {
  start: number;
  end: number;
  /** The text without escapes; undefined if the piece isn't text. */
  value?: string;
}

/** A block or container, with its pieces if they are text. */
interface BlockRange extends SourcePiece {
  pieces: readonly SourcePiece[];
}

/**
 * Returns the range of each finding in the editor's document; null for findings without a place there.
 * @param markdown the text that `doc` is written as
 */
export function editorRangesOfFindings(
  doc: Node,
  markdown: string,
  findings: readonly MarkdownPosition[],
): (EditorRange | null)[] {
  const ranges: BlockRange[] = [];
  try {
    walkBlocks({ markdown, ranges }, parseForPositions(markdown).children, doc, 0);
  } catch {
    return findings.map(() => null);
  }
  const starts = lineStartOffsets(markdown);
  const offsetOf = (line: number, column: number) => (starts[line - 1] ?? markdown.length) + column - 1;
  return findings.map(({ line, column, endLine, endColumn }) => {
    if (line === 0) return null;
    const start = offsetOf(line, column);
    return editorRangeOfOffsets(markdown, ranges, start, Math.max(start, offsetOf(endLine, endColumn)));
  });
}

/**
 * Returns the range of the first words between two offsets of the Markdown; without words, the innermost block around
 * the offsets; null if there is none.
 */
function editorRangeOfOffsets(
  markdown: string,
  ranges: readonly BlockRange[],
  start: number,
  end: number,
): EditorRange | null {
  for (const { pieces } of ranges) {
    const hits = pieces.filter((piece) => piece.start < Math.max(end, start + 1) && piece.end > start);
    const [first, last] = [hits[0], hits.at(-1)];
    if (!first || !last) continue;
    if (hits.length === 1 && first.isNode) return first;
    const from = first.from + characterIndexInPiece(markdown, first, start);
    const to = last.from + characterIndexInPiece(markdown, last, Math.max(end, start + 1));
    if (to > from) return { from, to, isNode: false };
  }
  const around = ranges.filter((range) => range.start <= start && end <= range.end);
  return around.toSorted((one, other) => one.end - one.start - (other.end - other.start))[0] ?? null;
}

/** Counts the characters of the piece that come before the offset. */
function characterIndexInPiece(markdown: string, piece: SourcePiece, offset: number): number {
  const size = piece.to - piece.from;
  if (offset <= piece.start) return 0;
  if (offset >= piece.end || piece.value === undefined) return offset >= piece.end ? size : 0;
  const raw = markdown.slice(piece.start, piece.end);
  if (raw === piece.value) return offset - piece.start;
  let index = 0;
  while (index < size && piece.start + writtenOffsetOf(raw, piece.value, index) < offset) index += 1;
  return index;
}

interface SourceWalk {
  markdown: string;
  ranges: BlockRange[];
}

const startOffsetOf = ({ position }: Nodes): number => position?.start.offset ?? 0;
const endOffsetOf = ({ position }: Nodes): number => position?.end.offset ?? 0;

/**
 * Collects the ranges of the tree's blocks, which it walks together with the document's. Empty paragraphs of the
 * document are skipped, because Markdown has none.
 */
function walkBlocks(walk: SourceWalk, blocks: readonly Nodes[], parent: Node, inside: number): void {
  const written: { node: Node; pos: number }[] = [];
  parent.forEach((node, offset) => {
    if (!isWithoutText(node)) written.push({ node, pos: inside + offset });
  });
  let at = 0;
  for (const { node, pos } of written) {
    const block = blocks[at];
    if (!block) return;
    at += 1;
    // One source block of the editor can hold several blocks of Markdown.
    if (node.type.name === "source_block") {
      const source = node.textContent.trim();
      const last = blocks.findIndex(
        (other, index) => index >= at && walk.markdown.slice(startOffsetOf(block), endOffsetOf(other)) === source,
      );
      if (last >= at) at = last + 1;
    }
    walkBlock(walk, block, node, pos);
  }
}

const structuralTypes = ["list_item", "table_header_row", "table_row", "table_header", "table_cell"];

/** Says whether a block of the editor isn't written to Markdown at all. */
function isWithoutText(node: Node): boolean {
  return (
    !structuralTypes.includes(node.type.name) && node.textContent.trim() === "" && writeEditorBlock(node).length === 0
  );
}

function walkBlock(walk: SourceWalk, block: Nodes, node: Node, pos: number): void {
  const full = {
    start: startOffsetOf(block),
    end: endOffsetOf(block),
    from: pos,
    to: pos + node.nodeSize,
    isNode: true,
  };
  if (node.isTextblock && !node.type.spec.code && "children" in block) return walkText(walk, block, node, full);
  if (!("children" in block) || node.isLeaf || node.isTextblock) {
    walk.ranges.push({ ...full, pieces: [full] });
    return;
  }
  walk.ranges.push({ ...full, pieces: [] });
  if (block.type === "tableCell") {
    const text = node.firstChild;
    if (text) walkText(walk, block, text, { ...full, from: pos + 1, to: pos + 1 + text.nodeSize });
  } else if (node.type.name === "alert" && block.type === "blockquote") {
    walkBlocks(walk, alertBlocksWithoutMarker(walk.markdown, block, node), node, pos + 1);
  } else {
    walkBlocks(walk, block.children, node, pos + 1);
  }
}

/** Returns the blocks of an alert without the marker in its first line, because the editor doesn't have it as text. */
function alertBlocksWithoutMarker(markdown: string, { children }: Blockquote, node: Node): readonly Nodes[] {
  const [first, ...rest] = children;
  if (node.attrs["apart"] === true || first?.type !== "paragraph") return rest;
  const [lead, ...others] = first.children;
  if (lead?.type !== "text" || !lead.position) return rest;
  const left = lead.value.split("\n").slice(1).join("\n");
  if (left === "") return [{ ...first, children: others }, ...rest];
  const line = markdown.slice(startOffsetOf(lead), endOffsetOf(lead)).indexOf("\n") + 1;
  const start = { ...lead.position.start, offset: startOffsetOf(lead) + line };
  return [
    { ...first, children: [{ ...lead, value: left, position: { ...lead.position, start } }, ...others] },
    ...rest,
  ];
}

function walkText(walk: SourceWalk, block: Parents, node: Node, full: SourcePiece): void {
  const inside = { ...full, from: full.from + 1, to: full.to - 1, isNode: false };
  const children = block.children as PhrasingContent[];
  for (const tags of [true, false]) {
    const pieces = piecesOfInlines(children, full.from + 1, tags);
    if (hasSameWords(node, pieces, full.from + 1)) {
      walk.ranges.push({ ...(node.content.size === 0 ? full : inside), pieces });
      return;
    }
  }
}

/**
 * Says whether a block of the editor and its pieces have the same words. Spaces at the end don't count, because they
 * aren't written.
 */
function hasSameWords(node: Node, pieces: readonly SourcePiece[], inside: number): boolean {
  const size = (pieces.at(-1)?.to ?? inside) - inside;
  if (size > node.content.size) return false;
  const thing = "\uFFFC";
  const text = node.textBetween(0, node.content.size, null, (leaf) =>
    leaf.type.name.endsWith("break") ? "\n" : thing,
  );
  const written = pieces
    .map(({ value, from, to, isNode }) => value ?? (isNode ? thing : "\n".repeat(to - from)))
    .join("");
  return text.startsWith(written) && text.slice(written.length).trim() === "";
}

function piecesOfInlines(nodes: readonly PhrasingContent[], from: number, tags: boolean): SourcePiece[] {
  const pieces: SourcePiece[] = [];
  let at = from;
  const open: string[] = [];
  nodes.forEach((node, index) => {
    const own = { start: startOffsetOf(node), end: endOffsetOf(node), from: at };
    const tag = tags && node.type === "html" ? /^<(\/?)(kbd|sub|sup)>$/.exec(node.value) : null;
    const isPaired =
      tag?.[2] !== undefined &&
      (tag[1] === "/"
        ? open.includes(tag[2])
        : nodes.some((other, later) => later > index && other.type === "html" && other.value === `</${tag[2]}>`));
    if (tag?.[2] !== undefined && isPaired) {
      if (tag[1] === "") open.push(tag[2]);
      return;
    }
    const inner = "children" in node && node.type !== "linkReference" ? piecesOfInlines(node.children, at, tags) : null;
    if (inner) pieces.push(...inner);
    else if (node.type === "text" || node.type === "inlineCode") {
      pieces.push({ ...own, to: at + node.value.length, isNode: false, value: node.value });
    } else {
      const isBreak = node.type === "break" || (node.type === "html" && /^<br\s*\/?>$/i.test(node.value));
      pieces.push({ ...own, to: at + 1, isNode: !isBreak });
    }
    at = pieces.at(-1)?.to ?? at;
  });
  return pieces;
}

function lineStartOffsets(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
