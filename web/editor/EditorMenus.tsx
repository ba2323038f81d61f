/** The toolbar's menus. */
import type { Command } from "@milkdown/kit/prose/state";
import { addColumnAfter, addColumnBefore, deleteColumn, deleteTable } from "@milkdown/kit/prose/tables";
import { useRef, type ReactNode } from "react";
import { DropdownMenu, MenuChoice, MenuItem, MenuSeparator } from "../ui/DropdownMenu.tsx";
import { isAlertKind, offeredAlerts } from "./alerts.ts";
import { addRow, alertBlock, removeRow } from "./commands.ts";
import { alertNames, texts } from "./texts.ts";
import type { ToolbarState } from "./toolbar-state.ts";

export interface MenuProps {
  state: ToolbarState;
  disabled: boolean;
  run(command: Command): void;
  /** Puts the cursor back into the text. */
  focusText(): void;
}

interface Triggered {
  trigger: ReactNode;
}

/** After a choice the cursor is in the text again; after Escape the focus is back on the tool. */
function useMenuFocus({ run, focusText }: MenuProps) {
  const chose = useRef(false);
  return {
    choose(command: Command): void {
      chose.current = true;
      run(command);
    },
    onCloseAutoFocus(event: Event): void {
      if (!chose.current) return;
      chose.current = false;
      event.preventDefault();
      focusText();
    },
  };
}

export function AlertMenu(props: MenuProps & Triggered) {
  const { state, trigger } = props;
  const { choose, onCloseAutoFocus } = useMenuFocus(props);
  return (
    <DropdownMenu trigger={trigger} align="start" onCloseAutoFocus={onCloseAutoFocus}>
      <MenuChoice
        value={state.alert ?? ""}
        onValueChange={(kind) => isAlertKind(kind) && kind !== state.alert && choose(alertBlock(kind))}
        options={offeredAlerts.map((kind) => ({ value: kind, label: alertNames[kind] }))}
      />
      {state.alert && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={() => state.alert && choose(alertBlock(state.alert))}>{texts.removeAlert}</MenuItem>
        </>
      )}
    </DropdownMenu>
  );
}

const tableChanges: readonly (readonly [string, Command])[] = [
  [texts.rowAbove, addRow("above")],
  [texts.rowBelow, addRow("below")],
  [texts.columnLeft, addColumnBefore],
  [texts.columnRight, addColumnAfter],
];
const tableRemovals: readonly (readonly [string, Command])[] = [
  [texts.removeRow, removeRow],
  [texts.removeColumn, deleteColumn],
  [texts.removeTable, deleteTable],
];

export function TableMenu(props: MenuProps & Triggered) {
  const { choose, onCloseAutoFocus } = useMenuFocus(props);
  return (
    <DropdownMenu trigger={props.trigger} align="start" onCloseAutoFocus={onCloseAutoFocus}>
      {tableChanges.map(([label, command]) => (
        <MenuItem key={label} onSelect={() => choose(command)}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      {tableRemovals.map(([label, command]) => (
        <MenuItem key={label} onSelect={() => choose(command)}>
          {label}
        </MenuItem>
      ))}
    </DropdownMenu>
  );
}
