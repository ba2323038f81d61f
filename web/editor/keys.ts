/** The editor's keys. Tab moves inside lists and tables; Escape first, then Tab leaves the editor (WCAG 2.1.2). */
import { chainCommands, exitCode } from "@milkdown/kit/prose/commands";
import { redo, undo } from "@milkdown/kit/prose/history";
import { keydownHandler } from "@milkdown/kit/prose/keymap";
import { splitListItem } from "@milkdown/kit/prose/schema-list";
import { Plugin, type Command } from "@milkdown/kit/prose/state";
import { goToNextCell, isInTable } from "@milkdown/kit/prose/tables";
import { addRow, ancestor, indent, lineBreak, list, mark, nodeType, outdent, quote, textBlock } from "./commands.ts";

const inList: Command = (state) => ancestor(state, ["list_item"]) !== null;

const enterInCell: Command = (state, dispatch, view) => {
  if (!isInTable(state)) return false;
  return goToNextCell(1)(state, dispatch, view) || addRow("below")(state, dispatch, view);
};

const enterInItem: Command = (state, dispatch, view) => {
  const item = ancestor(state, ["list_item"]);
  if (!item || state.selection.$from.parent.type.spec.code) return false;
  const task = typeof item.node.attrs["checked"] === "boolean";
  const attrs = { spread: item.node.attrs["spread"] as unknown, checked: task ? false : null };
  return splitListItem(nodeType(state, "list_item"), attrs)(state, dispatch, view);
};

/** Everything the toolbar shows a shortcut for, and what lists, tables and lines need. */
const bindings: Record<string, Command> = {
  "Mod-b": mark("strong"),
  "Mod-i": mark("emphasis"),
  "Mod-e": mark("inlineCode"),
  "Mod-Shift-x": mark("strike_through"),
  "Mod-Alt-0": textBlock("paragraph"),
  "Mod-Alt-2": textBlock("heading", { level: 2 }),
  "Mod-Alt-3": textBlock("heading", { level: 3 }),
  "Mod-Alt-4": textBlock("heading", { level: 4 }),
  "Mod-Alt-c": textBlock("code_block"),
  "Mod-Alt-7": list("ordered"),
  "Mod-Alt-8": list("bullet"),
  "Mod-Alt-9": list("task"),
  "Mod-Shift-b": quote,
  "Mod-z": undo,
  "Mod-y": redo,
  "Shift-Mod-z": redo,
  Enter: chainCommands(enterInCell, enterInItem),
  "Shift-Enter": lineBreak,
  "Mod-Enter": exitCode,
  Tab: chainCommands(goToNextCell(1), indent, inList),
  "Shift-Tab": chainCommands(goToNextCell(-1), outdent, inList),
};

export function keys(onLink: () => void): Plugin {
  const handle = keydownHandler({
    ...bindings,
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
