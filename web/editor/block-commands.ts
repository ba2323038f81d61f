/** Commands about the block at the caret as a whole: a list item, or a block of the text. */
import { lift } from "@milkdown/kit/prose/commands";
import type { Node } from "@milkdown/kit/prose/model";
import { NodeSelection, Selection, TextSelection, type Command, type EditorState } from "@milkdown/kit/prose/state";
import { ancestor, nodeType, outdent, textBlock } from "./commands.ts";

export interface BlockAt {
  node: Node;
  pos: number;
}

/** The nearest list item around the selection, or the block of the text. */
export function currentBlock({ selection, doc }: EditorState): BlockAt | null {
  if (selection instanceof NodeSelection && isOwnBlock(selection.$from.parent, selection.node)) {
    return { node: selection.node, pos: selection.from };
  }
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    if (isOwnBlock($from.node(depth - 1), $from.node(depth)))
      return { node: $from.node(depth), pos: $from.before(depth) };
  }
  const node = doc.nodeAt($from.pos);
  return node?.isBlock ? { node, pos: $from.pos } : null;
}

/** What has a handle of its own. */
export function isOwnBlock(parent: Node, node: Node): boolean {
  return node.type.name === "list_item" || (parent.type.name === "doc" && !isList(node));
}

const isList = ({ type }: Node): boolean => type.name === "bullet_list" || type.name === "ordered_list";

/** Changes places with the block before or after; the first and last item of a list move with their list. */
export const moveBlock =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    let block = currentBlock(state);
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

function listAround(state: EditorState, { pos }: BlockAt): BlockAt | null {
  const $pos = state.doc.resolve(pos);
  return $pos.depth === 1 ? { node: $pos.parent, pos: $pos.before() } : null;
}

export const duplicateBlock: Command = (state, dispatch) => {
  const block = currentBlock(state);
  if (!block) return false;
  if (dispatch) {
    const after = block.pos + block.node.nodeSize;
    // another object: the same one twice would be the same block of the Markdown
    const tr = state.tr.insert(after, block.node.copy(block.node.content));
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(after + 1))).scrollIntoView());
  }
  return true;
};

export const deleteBlock: Command = (state, dispatch) => {
  let block = currentBlock(state);
  if (!block) return false;
  // a list without items is none
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

/** An empty block below, of the same kind in a list; the caret is in it. */
export const addBelow: Command = (state, dispatch) => {
  const block = currentBlock(state);
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

/** Text without a form: out of its list, box or quote, or no heading anymore. */
export const plainText: Command = (state, dispatch, view) => {
  if (ancestor(state, ["list_item"])) return outdent(state, dispatch, view);
  if (ancestor(state, ["alert", "blockquote"])) return lift(state, dispatch);
  return state.selection.$from.parent.type.name === "paragraph" ? false : textBlock("paragraph")(state, dispatch, view);
};
