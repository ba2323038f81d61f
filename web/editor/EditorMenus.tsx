/** The menus of the bar at the selection. */
import type { Command } from "@milkdown/kit/prose/state";
import { ChevronDown, Table2 } from "lucide-react";
import { useRef } from "react";
import { DropdownMenu, MenuItem, MenuSeparator } from "../ui/DropdownMenu.tsx";
import { Tool } from "../ui/Toolbar.tsx";
import { tableChanges, tableRemovals, type TableCommand } from "./table-commands.ts";
import { texts } from "./texts.ts";
import type { ToolbarState } from "./toolbar-state.ts";

export interface EditorMenuProps {
  state: ToolbarState;
  runCommand(command: Command): void;
  /** Moves the focus back to the text. */
  focusText(): void;
}

/**
 * Returns handlers for a menu. They move the focus to the text after a choice; after Escape it returns to the menu's
 * button.
 */
export function useMenuFocus({ runCommand, focusText }: Pick<EditorMenuProps, "runCommand" | "focusText">) {
  const chose = useRef(false);
  return {
    choose(command: Command): void {
      chose.current = true;
      runCommand(command);
    },
    onCloseAutoFocus(event: Event): void {
      if (!chose.current) return;
      chose.current = false;
      event.preventDefault();
      focusText();
    },
  };
}

/** The menu of actions for the table at the caret. */
export function TableMenu(props: EditorMenuProps) {
  const { choose, onCloseAutoFocus } = useMenuFocus(props);
  const trigger = (
    <Tool label={texts.table} className="w-auto! whitespace-nowrap grid-flow-col gap-1 px-2">
      <Table2 aria-hidden />
      <ChevronDown aria-hidden className="size-3.5!" />
    </Tool>
  );
  const menuItems = (of: readonly TableCommand[]) =>
    of.map(({ label, command }) => (
      <MenuItem key={label} onSelect={() => choose(command)}>
        {label}
      </MenuItem>
    ));
  return (
    <DropdownMenu trigger={trigger} align="start" isTall onCloseAutoFocus={onCloseAutoFocus}>
      {menuItems(tableChanges)}
      <MenuSeparator />
      {menuItems(tableRemovals)}
    </DropdownMenu>
  );
}
