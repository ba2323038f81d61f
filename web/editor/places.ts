/** Finds the block of a line of the Markdown, and replaces the whole text. */
import { closeHistory } from "@milkdown/kit/prose/history";
import type { Node } from "@milkdown/kit/prose/model";
import { TextSelection, type EditorState, type Selection, type Transaction } from "@milkdown/kit/prose/state";
import { readEditorDocument } from "./document.ts";
import { parseForPositions } from "./parse-ahead.ts";

/**
 * Returns a selection at the start of the block that contains a line.
 * @param markdown the text that the document is written as
 */
export function selectionAtLine(state: EditorState, markdown: string, line: number): Selection {
  const blocks = parseForPositions(markdown).children;
  const index = blocks.findLastIndex((block) => (block.position?.start.line ?? 0) <= line);
  let at = 0;
  for (let block = 0; block < Math.min(Math.max(0, index), state.doc.childCount); block += 1) {
    at += state.doc.child(block).nodeSize;
  }
  return TextSelection.near(state.doc.resolve(Math.min(at + 1, state.doc.content.size)));
}

/**
 * Returns a transaction that changes the document to another text in one step that can be undone. Equal parts stay
 * untouched.
 * @returns null if the texts are equal
 */
export function changeToText(state: EditorState, markdown: string): Transaction | null {
  const next = readEditorDocument(state.schema, markdown);
  return changeWithinBlock(state, next) ?? changeByBlocks(state, next);
}

/**
 * Returns a transaction that replaces changed words within one block, so that the cursor and marks beside the words
 * stay; null if more than one block differs.
 */
function changeWithinBlock(state: EditorState, next: Node): Transaction | null {
  const start = state.doc.content.findDiffStart(next.content);
  const end = state.doc.content.findDiffEnd(next.content);
  if (start === null || end === null) return null;
  // If text repeats, the difference's start and end can overlap.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  const [to, until] = [end.a + overlap, end.b + overlap];
  if (!state.doc.resolve(start).sameParent(state.doc.resolve(to)) || state.doc.resolve(start).depth === 0) return null;
  if (!next.resolve(start).sameParent(next.resolve(until))) return null;
  const tr = closeHistory(state.tr).replace(start, to, next.slice(start, until));
  return tr.doc.eq(next) ? tr.scrollIntoView() : null;
}

function changeByBlocks(state: EditorState, next: Node): Transaction | null {
  const [before, after] = [blocksOfDocument(state.doc), blocksOfDocument(next)];
  let start = 0;
  while (start < before.length && start < after.length && isEqualBlock(before[start], after[start])) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    isEqualBlock(before[before.length - 1 - end], after[after.length - 1 - end])
  ) {
    end += 1;
  }
  if (start === before.length && start === after.length) return null;
  const from = totalNodeSize(before.slice(0, start));
  const to = from + totalNodeSize(before.slice(start, before.length - end));
  // The change can be undone by itself, even if it follows a keystroke closely.
  return closeHistory(state.tr)
    .replaceWith(from, to, after.slice(start, after.length - end))
    .scrollIntoView();
}

function blocksOfDocument(doc: Node): Node[] {
  return Array.from({ length: doc.childCount }, (_, index) => doc.child(index));
}

function isEqualBlock(one: Node | undefined, other: Node | undefined): boolean {
  return one !== undefined && other !== undefined && one.eq(other);
}

function totalNodeSize(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
}
