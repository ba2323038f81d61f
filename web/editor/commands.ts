/** ProseMirror commands for the toolbar and the keys. They find types of nodes and marks by name in the schema. */
import { lift, setBlockType, toggleMark, wrapIn } from "@milkdown/kit/prose/commands";
import { Fragment, type Attrs, type MarkType, type Node, type NodeType } from "@milkdown/kit/prose/model";
import { liftListItem, sinkListItem, wrapInList } from "@milkdown/kit/prose/schema-list";
import { Selection, TextSelection, type Command, type EditorState } from "@milkdown/kit/prose/state";
import { isInTable, selectedRect } from "@milkdown/kit/prose/tables";
import type { AlertKind } from "#core/markdown/alert-grades.ts";

/** Returns the node type with this name. @throws Error if the schema has none */
export function nodeType(state: EditorState, name: string): NodeType {
  const type = state.schema.nodes[name];
  if (!type) throw new Error(`no node ${name}`);
  return type;
}

/** Returns the mark type with this name. @throws Error if the schema has none */
export function markType(state: EditorState, name: string): MarkType {
  const type = state.schema.marks[name];
  if (!type) throw new Error(`no mark ${name}`);
  return type;
}

/** Returns the nearest node around the selection's start whose type has one of these names; null if there is none. */
export function ancestorOfSelection(
  state: EditorState,
  names: readonly string[],
): { node: Node; pos: number; depth: number } | null {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (names.includes(node.type.name)) return { node, pos: $from.before(depth), depth };
  }
  return null;
}

export const toggleMarkNamed =
  (name: string): Command =>
  (state, dispatch, view) =>
    toggleMark(markType(state, name))(state, dispatch, view);

/** Turns the block into this type of text, or into a paragraph if the block has this type already. */
export const toggleTextBlock =
  (name: string, attrs: Attrs | null = null): Command =>
  (state, dispatch, view) => {
    const is = state.selection.$from.parent;
    const same = is.type.name === name && Object.entries(attrs ?? {}).every(([key, value]) => is.attrs[key] === value);
    const target = same ? nodeType(state, "paragraph") : nodeType(state, name);
    return setBlockType(target, same ? null : attrs)(state, dispatch, view);
  };

const lists = ["bullet_list", "ordered_list"];

/**
 * Turns the selected blocks into a list, or changes their list to this kind. Takes items out of a list of this kind.
 */
export const toggleList =
  (kind: "bullet" | "ordered" | "task"): Command =>
  (state, dispatch, view) => {
    const type = nodeType(state, kind === "ordered" ? "ordered_list" : "bullet_list");
    const checked = kind === "task" ? false : null;
    const inside = ancestorOfSelection(state, lists);
    if (!inside) {
      return wrapInList(type)(
        state,
        dispatch &&
          ((tr) => {
            const made = tr.selection.$from;
            for (let depth = made.depth; depth > 0 && checked !== null; depth -= 1) {
              if (made.node(depth).type === type) {
                setItemsChecked(tr, made.node(depth), made.before(depth), checked);
                break;
              }
            }
            dispatch(tr);
          }),
        view,
      );
    }
    if (listKindOf(inside.node) === kind) return liftListItem(nodeType(state, "list_item"))(state, dispatch, view);
    if (dispatch) {
      const tr = state.tr.setNodeMarkup(inside.pos, type, { spread: inside.node.attrs["spread"] });
      setItemsChecked(tr, inside.node, inside.pos, checked);
      dispatch(tr);
    }
    return true;
  };

export function listKindOf(node: Node): "bullet" | "ordered" | "task" {
  if (node.type.name === "ordered_list") return "ordered";
  return typeof node.firstChild?.attrs["checked"] === "boolean" ? "task" : "bullet";
}

function setItemsChecked(tr: EditorState["tr"], listNode: Node, pos: number, checked: boolean | null): void {
  listNode.forEach((item, offset) => {
    tr.setNodeMarkup(pos + 1 + offset, undefined, { ...item.attrs, checked });
  });
}

export const indentListItem: Command = (state, dispatch, view) =>
  sinkListItem(nodeType(state, "list_item"))(state, dispatch, view);
export const outdentListItem: Command = (state, dispatch, view) =>
  liftListItem(nodeType(state, "list_item"))(state, dispatch, view);

/** Wraps the blocks in an alert. Takes them out of an alert of the same kind, and changes the kind of another alert. */
export const toggleAlert =
  (kind: AlertKind): Command =>
  (state, dispatch, view) => {
    const inside = ancestorOfSelection(state, ["alert"]);
    if (!inside) return wrapIn(nodeType(state, "alert"), { kind })(state, dispatch, view);
    if (inside.node.attrs["kind"] === kind) return lift(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(inside.pos, undefined, { ...inside.node.attrs, kind, marker: null }));
    return true;
  };

export const toggleQuote: Command = (state, dispatch, view) =>
  ancestorOfSelection(state, ["blockquote"])
    ? lift(state, dispatch)
    : wrapIn(nodeType(state, "blockquote"))(state, dispatch, view);

/** Inserts a horizontal line, and after it a paragraph for further text. */
export const insertHorizontalRule: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  if (dispatch) {
    const tr = state.tr.replaceSelectionWith(nodeType(state, "hr").create());
    const after = tr.selection.$from;
    if (!after.nodeAfter && after.depth === 0) tr.insert(tr.doc.content.size, nodeType(state, "paragraph").create());
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(tr.selection.to), 1)).scrollIntoView());
  }
  return true;
};

/** Inserts an empty table of 3 × 3 cells and puts the cursor into the first one. */
export const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  if (dispatch) {
    const createCells = (name: string) =>
      Array.from({ length: 3 }, () => nodeType(state, name).createAndFill() as Node);
    const rows = [
      nodeType(state, "table_header_row").create(null, createCells("table_header")),
      ...[0, 1].map(() => nodeType(state, "table_row").create(null, createCells("table_cell"))),
    ];
    const table = nodeType(state, "table").create(null, rows);
    const { $from } = state.selection;
    const empty = $from.parent.isTextblock && $from.parent.content.size === 0 && $from.depth > 0;
    const at = empty ? $from.before() : $from.depth > 0 ? $from.after() : state.selection.to;
    const tr = empty ? state.tr.replaceWith(at, $from.after(), table) : state.tr.insert(at, table);
    dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 4))).scrollIntoView());
  }
  return true;
};

/** Adds a row below or above the cursor, but never above the header. */
export const addRow =
  (where: "above" | "below"): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    const rect = selectedRect(state);
    const index = where === "above" ? rect.top : rect.bottom;
    if (index === 0) return false;
    if (dispatch) {
      let pos = rect.tableStart;
      for (let row = 0; row < index; row += 1) pos += rect.table.child(row).nodeSize;
      const head = rect.table.child(0);
      const cells = Array.from({ length: head.childCount }, (_, column) =>
        nodeType(state, "table_cell").createAndFill({ alignment: head.child(column).attrs["alignment"] }),
      );
      const row = nodeType(state, "table_row").create(null, Fragment.from(cells.filter((cell) => cell !== null)));
      const tr = state.tr.insert(pos, row);
      dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(pos + 2))).scrollIntoView());
    }
    return true;
  };

/** Removes the selected rows. Does nothing in the header row, because a Markdown table needs one. */
export const removeRow: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  const rect = selectedRect(state);
  if (rect.top === 0) return false;
  if (dispatch) {
    let from = rect.tableStart;
    for (let row = 0; row < rect.top; row += 1) from += rect.table.child(row).nodeSize;
    let to = from;
    for (let row = rect.top; row < rect.bottom; row += 1) to += rect.table.child(row).nodeSize;
    const tr = state.tr.delete(from, to);
    dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(from, tr.doc.content.size)), -1)));
  }
  return true;
};

/** Inserts a line break: `<br>` in table cells and headings, which are one line of Markdown, otherwise a hard break. */
export const insertLineBreak: Command = (state, dispatch) => {
  const { type } = state.selection.$from.parent;
  if (type.spec.code) return false;
  const made =
    isInTable(state) || type.name === "heading"
      ? nodeType(state, "html_break").create()
      : nodeType(state, "hardbreak").create();
  dispatch?.(state.tr.replaceSelectionWith(made).scrollIntoView());
  return true;
};

/** Links the selection, or changes the link around it. The text becomes `shown`, or the address if `shown` is empty. */
export const setLink =
  (href: string, shown: string): Command =>
  (state, dispatch) => {
    const type = markType(state, "link");
    const range = linkRangeAtSelection(state) ?? state.selection;
    if (dispatch) {
      const { from } = range;
      const keep = range.to > from && state.doc.textBetween(from, range.to, " ") === shown;
      const text = shown || href;
      const tr = keep ? state.tr : state.tr.insertText(text, from, range.to);
      const to = keep ? range.to : from + text.length;
      dispatch(tr.removeMark(from, to, type).addMark(from, to, type.create({ href })).scrollIntoView());
    }
    return true;
  };

/** Removes the link around the selection, or all links in the selection. The words stay. */
export const removeLink: Command = (state, dispatch) => {
  const range = linkRangeAtSelection(state) ?? state.selection;
  dispatch?.(state.tr.removeMark(range.from, range.to, markType(state, "link")));
  return true;
};

/** Returns the range and address of the link around the cursor; null without a link. */
export function linkRangeAtSelection(state: EditorState): { from: number; to: number; href: string } | null {
  const type = markType(state, "link");
  const { $from, to } = state.selection;
  const parent = $from.parent;
  const start = $from.start();
  let found: { from: number; to: number; href: string } | null = null;
  let run: { from: number; to: number; href: string } | null = null;
  parent.forEach((child, offset) => {
    const href: unknown = type.isInSet(child.marks)?.attrs["href"];
    const from = start + offset;
    if (typeof href !== "string") run = null;
    else if (run?.href === href && run.to === from) run.to = from + child.nodeSize;
    else run = { from, to: from + child.nodeSize, href };
    if (run && run.from <= $from.pos && run.to >= to) found = run;
  });
  return found;
}
