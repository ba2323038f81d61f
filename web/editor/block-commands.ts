/** Commands for the whole block at the caret: a list item or a top-level block. */
import { lift } from "@milkdown/kit/prose/commands";
import type { Node } from "@milkdown/kit/prose/model";
import { NodeSelection, Selection, TextSelection, type Command, type EditorState } from "@milkdown/kit/prose/state";
import { ancestorOfSelection, nodeType, outdentListItem, toggleTextBlock } from "./commands.ts";

/** A block and the position before it. */
export interface BlockAt {
  node: Node;
  pos: number;
}

/** Returns the nearest list item around the selection, or else the top-level block; null if there is no block. */
function blockAtSelection({ selection, doc }: EditorState): BlockAt | null {
  if (selection instanceof NodeSelection && hasOwnHandle(selection.$from.parent, selection.node)) {
    return { node: selection.node, pos: selection.from };
  }
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    if (hasOwnHandle($from.node(depth - 1), $from.node(depth)))
      return { node: $from.node(depth), pos: $from.before(depth) };
  }
  const node = doc.nodeAt($from.pos);
  return node?.isBlock ? { node, pos: $from.pos } : null;
}

/** Says whether a block has its own handle: a list item, or a top-level block other than a list. */
export function hasOwnHandle(parent: Node, node: Node): boolean {
  return node.type.name === "list_item" || (parent.type.name === "doc" && !isList(node));
}

const isList = ({ type }: Node): boolean => type.name === "bullet_list" || type.name === "ordered_list";

/**
 * Swaps the block at the caret with the block before (-1) or after (1). An item that is already the first or last of
 * its list moves the whole list.
 */
export const moveBlock =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    let block = blockAtSelection(state);
    for (; block; block = listAround(state, block)) {
      const $pos = state.doc.resolve(block.pos);
      const index = $pos.index() + by;
      if (index < 0 || index >= $pos.parent.childCount) continue;
      if (!dispatch) return true;
      const beside = $pos.parent.child(index);
      const to = by < 0 ? block.pos - beside.nodeSize : block.pos + beside.nodeSize;
      const { anchor, head } = state.selection;
      const isNode = state.selection instanceof NodeSelection;
      const tr = state.tr.delete(block.pos, block.pos + block.node.nodeSize).insert(to, block.node);
      const shift = to - block.pos;
      tr.setSelection(
        isNode
          ? NodeSelection.create(tr.doc, anchor + shift)
          : TextSelection.create(tr.doc, anchor + shift, head + shift),
      );
      dispatch(tr.scrollIntoView());
      return true;
    }
    return false;
  };

/** Returns the top-level list that a list item is in; null for other blocks and for items of inner lists. */
function listAround(state: EditorState, { pos }: BlockAt): BlockAt | null {
  const $pos = state.doc.resolve(pos);
  return $pos.depth === 1 ? { node: $pos.parent, pos: $pos.before() } : null;
}

export const duplicateBlock: Command = (state, dispatch) => {
  const block = blockAtSelection(state);
  if (!block) return false;
  if (dispatch) {
    const after = block.pos + block.node.nodeSize;
    // The copy must be a new object, because `origins` takes the old object for the unchanged block of the Markdown.
    const tr = state.tr.insert(after, block.node.copy(block.node.content));
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(after + 1))).scrollIntoView());
  }
  return true;
};

export const deleteBlock: Command = (state, dispatch) => {
  let block = blockAtSelection(state);
  if (!block) return false;
  // If the block is the only item of its list, the list is deleted too.
  for (let $pos = state.doc.resolve(block.pos); $pos.depth > 0 && $pos.parent.childCount === 1;) {
    block = { node: $pos.parent, pos: $pos.before() };
    $pos = state.doc.resolve(block.pos);
  }
  if (dispatch) {
    const end = block.pos + block.node.nodeSize;
    const isLast = state.doc.childCount === 1 && state.doc.firstChild === block.node;
    const tr = isLast
      ? state.tr.replaceWith(block.pos, end, nodeType(state, "paragraph").create())
      : state.tr.delete(block.pos, end);
    const near = tr.doc.resolve(Math.min(block.pos, tr.doc.content.size));
    dispatch(tr.setSelection(Selection.near(near)).scrollIntoView());
  }
  return true;
};

/** Adds an empty block below the current one, in a list an item of the same kind, and puts the caret into it. */
export const addBlockBelow: Command = (state, dispatch) => {
  const block = blockAtSelection(state);
  if (!block) return false;
  if (dispatch) {
    const paragraph = nodeType(state, "paragraph").create();
    const { node } = block;
    const isTask = typeof node.attrs["checked"] === "boolean";
    const made =
      node.type.name === "list_item"
        ? node.type.create({ ...node.attrs, checked: isTask ? false : null }, paragraph)
        : paragraph;
    const at = block.pos + node.nodeSize;
    const tr = state.tr.insert(at, made);
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(at + 1))).scrollIntoView());
  }
  return true;
};

/** Turns the block into plain text: out of its list, box or quote, or from a heading to a paragraph. */
export const turnIntoPlainText: Command = (state, dispatch, view) => {
  if (ancestorOfSelection(state, ["list_item"])) return outdentListItem(state, dispatch, view);
  if (ancestorOfSelection(state, ["alert", "blockquote"])) return lift(state, dispatch);
  return state.selection.$from.parent.type.name === "paragraph"
    ? false
    : toggleTextBlock("paragraph")(state, dispatch, view);
};
