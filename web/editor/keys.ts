/** The editor's keys. Tab moves inside lists and tables; after Escape, Tab leaves the editor (WCAG 2.1.2). */
import { chainCommands, exitCode } from "@milkdown/kit/prose/commands";
import { redo } from "@milkdown/kit/prose/history";
import { keydownHandler } from "@milkdown/kit/prose/keymap";
import { splitListItem } from "@milkdown/kit/prose/schema-list";
import { Plugin, TextSelection, type Command } from "@milkdown/kit/prose/state";
import { goToNextCell, isInTable } from "@milkdown/kit/prose/tables";
import { moveBlock } from "./block-commands.ts";
import { tools, type EditorTool } from "./blocks.ts";
import { addRow, ancestorOfSelection, indentListItem, insertLineBreak, nodeType, outdentListItem } from "./commands.ts";
import { selectImageInNextLine, emptyStepBelow } from "./image-properties.ts";

const isInList: Command = (state) => ancestorOfSelection(state, ["list_item"]) !== null;

/** Moves to the next cell. In the last cell it adds a row, as word processors do. */
const moveToNextCell: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false;
  return goToNextCell(1)(state, dispatch, view) || addRow("below")(state, dispatch, view);
};

const splitItemOnEnter: Command = (state, dispatch, view) => {
  const item = ancestorOfSelection(state, ["list_item"]);
  if (!item || state.selection.$from.parent.type.spec.code) return false;
  const task = typeof item.node.attrs["checked"] === "boolean";
  const attrs = { spread: item.node.attrs["spread"] as unknown, checked: task ? false : null };
  return splitListItem(nodeType(state, "list_item"), attrs)(state, dispatch, view);
};

/** Moves from the end of a step into the empty step below it. */
const moveToEmptyStepBelow: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const waiting = empty && $from.parent.content.size > 0 ? emptyStepBelow($from) : null;
  if (waiting === null) return false;
  dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, waiting)).scrollIntoView());
  return true;
};

/** The toolbar's shortcuts, and the keys for lists, tables and lines. */
const keyCommands: Record<string, Command> = {
  ...Object.fromEntries(
    Object.values<EditorTool>(tools).flatMap(({ keys: chord, command }) =>
      chord ? [[keymapNameOf(chord), command]] : [],
    ),
  ),
  "Shift-Mod-z": redo,
  Enter: chainCommands(moveToNextCell, moveToEmptyStepBelow, splitItemOnEnter),
  "Shift-Enter": insertLineBreak,
  ArrowUp: selectImageInNextLine(-1),
  ArrowDown: selectImageInNextLine(1),
  "Alt-ArrowUp": moveBlock(-1),
  "Alt-ArrowDown": moveBlock(1),
  "Mod-Enter": exitCode,
  Tab: chainCommands(moveToNextCell, indentListItem, isInList),
  "Shift-Tab": chainCommands(goToNextCell(-1), outdentListItem, isInList),
};

/** Converts `Mod+Shift+X` to ProseMirror's form `Mod-Shift-x`. */
function keymapNameOf(chord: string): string {
  return chord.replaceAll("+", "-").replace(/.$/, (last) => last.toLowerCase());
}

export function shortcutKeysPlugin(onLink: () => void): Plugin {
  const handle = keydownHandler({
    ...keyCommands,
    "Mod-k": () => {
      onLink();
      return true;
    },
  });
  let leaving = false;
  return new Plugin({
    props: {
      handleKeyDown(view, event) {
        const leaves = leaving && event.key === "Tab";
        if (event.key !== "Shift") leaving = event.key === "Escape";
        return leaves ? false : handle(view, event);
      },
    },
  });
}
