/** Splits a text into words with their marks (bold, links, code), and joins neighboring words with equal marks. */
import type { Element, ElementContent } from "hast";
import { element, isBlankNode, isElement } from "./elements.ts";

export const blockNames = new Set(
  (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p plaintext pre search " +
    "section summary table tbody td tfoot th thead tr ul xmp"
  ).split(" "),
);

/** Blocks that Markdown can represent. Other blocks become lines in a cell or a heading. */
const markdownBlockNames = new Set(
  "ul ol menu dir pre listing xmp plaintext blockquote hr details table h1 h2 h3 h4 h5 h6".split(" "),
);

/** A piece of a text: words with the marks around them, a block, or the edge of a block that becomes a line. */
export type HtmlPiece = { leaf: ElementContent; marks: readonly Element[] } | { block: ElementContent } | "edge";

export const isNotCode = (mark: Element): boolean => mark.tagName !== "code";

export function isEmptyPiece(piece: HtmlPiece): boolean {
  if (piece === "edge") return true;
  return "leaf" in piece && (isElement(piece.leaf, "br") || isBlankNode(piece.leaf));
}

export function isMarkdownBlock(node: ElementContent | undefined): boolean {
  return node?.type === "element" && markdownBlockNames.has(node.tagName);
}

/** Tells whether a node is or contains a block that Markdown can represent. */
export function hasMarkdownBlock(node: ElementContent): boolean {
  return node.type === "element" && (markdownBlockNames.has(node.tagName) || node.children.some(hasMarkdownBlock));
}

export function isBlockElement(node: ElementContent | undefined): boolean {
  return node?.type === "element" && blockNames.has(node.tagName);
}

/** Groups nodes: neighboring words are one part, and each block is one part. */
export function groupWordsAndBlocks(nodes: readonly ElementContent[]): ElementContent[][] {
  const out: ElementContent[][] = [];
  let run: ElementContent[] | undefined;
  for (const node of nodes) {
    if (isBlockElement(node)) {
      out.push([node]);
      run = undefined;
    } else if (run === undefined) out.push((run = [node]));
    else run.push(node);
  }
  return out;
}

/** Turns edges between words into line breaks. Edges at an end or beside a block are dropped. */
export function edgesAsLineBreaks(all: readonly HtmlPiece[]): HtmlPiece[] {
  const out: HtmlPiece[] = [];
  let atEdge = true;
  let pending = false;
  for (const piece of all) {
    if (piece === "edge") pending = true;
    else if ("block" in piece) {
      out.push(piece);
      atEdge = true;
      pending = false;
    } else {
      const isBreak = isElement(piece.leaf, "br");
      const isSpace = !isBreak && isEmptyPiece(piece);
      if (isSpace && (pending || atEdge)) continue;
      if (isBreak && pending) continue;
      if (pending && !atEdge) out.push({ leaf: element("br", {}, []), marks: [] });
      out.push(piece);
      pending = false;
      atEdge = isBreak;
    }
  }
  const isKept = (piece: HtmlPiece): boolean => piece !== "edge" && ("block" in piece || !isEmptyPiece(piece));
  return out.slice(Math.max(0, out.findIndex(isKept)), out.findLastIndex(isKept) + 1);
}

/** Puts marks around neighboring words that share them. Code becomes the innermost mark. */
export function wrapPiecesInMarks(all: readonly HtmlPiece[]): ElementContent[] {
  const out: ElementContent[] = [];
  let run: MarkedLeaf[] = [];
  const flushRun = (): void => {
    out.push(...wrapLeavesInMarks(run, 0));
    run = [];
  };
  for (const piece of all) {
    if (piece === "edge") continue;
    if ("block" in piece) {
      flushRun();
      out.push(piece.block);
    } else
      run.push({
        ...piece,
        marks: [...piece.marks.filter(isNotCode), ...piece.marks.filter((mark) => !isNotCode(mark))],
      });
  }
  flushRun();
  return out;
}

interface MarkedLeaf {
  leaf: ElementContent;
  marks: readonly Element[];
}

function wrapLeavesInMarks(leaves: readonly MarkedLeaf[], depth: number): ElementContent[] {
  const out: ElementContent[] = [];
  for (let index = 0; index < leaves.length;) {
    const first = leaves[index] as MarkedLeaf;
    const mark = first.marks[depth];
    let end = index + 1;
    if (mark !== undefined) while (leaves[end]?.marks[depth] === mark) end += 1;
    const own = leaves.slice(index, end);
    index = end;
    if (mark === undefined) {
      out.push(first.leaf);
      continue;
    }
    // A mark begins and ends with a word, so breaks and spaces at its edges move outside.
    const isEdge = ({ leaf }: MarkedLeaf): boolean =>
      isElement(leaf, "br") || (leaf.type === "text" && leaf.value.trim() === "");
    const from = own.findIndex((leaf) => !isEdge(leaf));
    const to = own.findLastIndex((leaf) => !isEdge(leaf)) + 1;
    if (from === -1) {
      out.push(...own.map(({ leaf }) => leaf));
      continue;
    }
    out.push(...own.slice(0, from).map(({ leaf }) => leaf));
    out.push({ ...mark, children: wrapLeavesInMarks(own.slice(from, to), depth + 1) });
    out.push(...own.slice(to).map(({ leaf }) => leaf));
  }
  return out;
}
