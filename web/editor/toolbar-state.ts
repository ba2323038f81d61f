import { redoDepth, undoDepth } from "@milkdown/kit/prose/history";
import { NodeSelection, TextSelection, type EditorState } from "@milkdown/kit/prose/state";
import { isInTable, selectionCell } from "@milkdown/kit/prose/tables";
import { isAlertKind, type AlertKind } from "#core/markdown/alert-grades.ts";
import { ancestorOfSelection, linkRangeAtSelection, listKindOf, markType } from "./commands.ts";

/** The formatting of the text at the cursor, which the bars show. */
export interface ToolbarState {
  /** The range of the selected words or image; both 0 without a selection. */
  from: number;
  to: number;
  block: "paragraph" | "heading-2" | "heading-3" | "heading-4" | "code" | "other";
  bold: boolean;
  italic: boolean;
  code: boolean;
  strike: boolean;
  /** The address of the link at the cursor; null without a link. */
  link: string | null;
  /** The kind of the innermost list at the cursor; null outside of lists. */
  list: "bullet" | "ordered" | "task" | null;
  quote: boolean;
  alert: AlertKind | null;
  /** True if an image is selected. */
  picture: boolean;
  inTable: boolean;
  /** The position of the table's cell at the caret; -1 outside of tables. */
  cell: number;
  canUndo: boolean;
  canRedo: boolean;
}

export const nothingActive: ToolbarState = {
  from: 0,
  to: 0,
  block: "paragraph",
  bold: false,
  italic: false,
  code: false,
  strike: false,
  link: null,
  list: null,
  quote: false,
  alert: null,
  picture: false,
  inTable: false,
  cell: -1,
  canUndo: false,
  canRedo: false,
};

export function readToolbarState(state: EditorState): ToolbarState {
  const list = ancestorOfSelection(state, ["bullet_list", "ordered_list"]);
  const kind: unknown = ancestorOfSelection(state, ["alert"])?.node.attrs["kind"];
  const { selection } = state;
  const isShown = selection instanceof TextSelection && !selection.empty;
  const image = selection instanceof NodeSelection && selection.node.type.name === "image";
  const { from, to } = isShown || image ? selection : { from: 0, to: 0 };
  return {
    from,
    to,
    block: toolbarBlockOf(state),
    bold: hasMark(state, "strong"),
    italic: hasMark(state, "emphasis"),
    code: hasMark(state, "inlineCode"),
    strike: hasMark(state, "strike_through"),
    link: linkRangeAtSelection(state)?.href ?? null,
    list: list ? listKindOf(list.node) : null,
    quote: ancestorOfSelection(state, ["blockquote"]) !== null,
    alert: isAlertKind(kind) ? kind : null,
    picture: image,
    inTable: isInTable(state),
    cell: isInTable(state) ? (selectionCell(state)?.pos ?? -1) : -1,
    canUndo: undoDepth(state) > 0,
    canRedo: redoDepth(state) > 0,
  };
}

export function isSameToolbarState(a: ToolbarState, b: ToolbarState): boolean {
  return (Object.keys(a) as (keyof ToolbarState)[]).every((key) => a[key] === b[key]);
}

function toolbarBlockOf(state: EditorState): ToolbarState["block"] {
  const { type, attrs } = state.selection.$from.parent;
  if (type.name === "paragraph") return "paragraph";
  if (type.name === "code_block") return "code";
  const level: unknown = attrs["level"];
  if (type.name === "heading" && (level === 2 || level === 3 || level === 4)) return `heading-${level}`;
  return "other";
}

function hasMark(state: EditorState, name: string): boolean {
  const type = markType(state, name);
  const { from, to, $from, empty } = state.selection;
  return empty
    ? type.isInSet(state.storedMarks ?? $from.marks()) !== undefined
    : state.doc.rangeHasMark(from, to, type);
}
