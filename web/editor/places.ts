/** Lines of the Markdown and blocks of the editor: both have the same top. */
import { closeHistory } from "@milkdown/kit/prose/history";
import type { Node } from "@milkdown/kit/prose/model";
import { TextSelection, type EditorState, type Selection, type Transaction } from "@milkdown/kit/prose/state";
import { readDocument } from "./document.ts";
import { shownTree } from "./parse-ahead.ts";

/** The beginning of the block that holds a line of this Markdown, which the document was written as. */
export function blockOfLine(state: EditorState, markdown: string, line: number): Selection {
  const blocks = shownTree(markdown).children;
  const index = blocks.findLastIndex((block) => (block.position?.start.line ?? 0) <= line);
  let at = 0;
  for (let block = 0; block < Math.min(Math.max(0, index), state.doc.childCount); block += 1) {
    at += state.doc.child(block).nodeSize;
  }
  return TextSelection.near(state.doc.resolve(Math.min(at + 1, state.doc.content.size)));
}

/** Another text in one step that can be undone: what stays the same is not touched. @returns null without a difference */
export function toText(state: EditorState, markdown: string): Transaction | null {
  const next = readDocument(state.schema, markdown);
  return withinBlock(state, next) ?? byBlocks(state, next);
}

/** Words that changed in one block: the cursor and what is marked stay beside them. */
function withinBlock(state: EditorState, next: Node): Transaction | null {
  const start = state.doc.content.findDiffStart(next.content);
  const end = state.doc.content.findDiffEnd(next.content);
  if (start === null || end === null) return null;
  // what is there twice in a row is counted from both sides
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  const [to, until] = [end.a + overlap, end.b + overlap];
  if (!state.doc.resolve(start).sameParent(state.doc.resolve(to)) || state.doc.resolve(start).depth === 0) return null;
  if (!next.resolve(start).sameParent(next.resolve(until))) return null;
  const tr = closeHistory(state.tr).replace(start, to, next.slice(start, until));
  return tr.doc.eq(next) ? tr.scrollIntoView() : null;
}

function byBlocks(state: EditorState, next: Node): Transaction | null {
  const [before, after] = [childrenOf(state.doc), childrenOf(next)];
  let start = 0;
  while (start < before.length && start < after.length && same(before[start], after[start])) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    same(before[before.length - 1 - end], after[after.length - 1 - end])
  ) {
    end += 1;
  }
  if (start === before.length && start === after.length) return null;
  const from = sizeOf(before.slice(0, start));
  const to = from + sizeOf(before.slice(start, before.length - end));
  // undone alone, however soon after the last keystroke it came
  return closeHistory(state.tr)
    .replaceWith(from, to, after.slice(start, after.length - end))
    .scrollIntoView();
}

function childrenOf(doc: Node): Node[] {
  return Array.from({ length: doc.childCount }, (_, index) => doc.child(index));
}

function same(one: Node | undefined, other: Node | undefined): boolean {
  return one !== undefined && other !== undefined && one.eq(other);
}

function sizeOf(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
}
