/**
 * Shows the type of the block at the caret and the types that the block can change to, for the selection bar and the
 * block handle.
 */
import { ChevronDown, Copy, Trash2 } from "lucide-react";
import type { Command } from "@milkdown/kit/prose/state";
import { DropdownMenu, MenuChoice, MenuItem, MenuSeparator, Submenu } from "../ui/DropdownMenu.tsx";
import { Tool } from "../ui/Toolbar.tsx";
import { deleteBlock, duplicateBlock } from "./block-commands.ts";
import { blockTypes, hazardAlerts, otherAlerts, type BlockMenuChoice } from "./blocks.ts";
import { useMenuFocus, type EditorMenuProps } from "./EditorMenus.tsx";
import { texts } from "./texts.ts";
import type { ToolbarState } from "./toolbar-state.ts";

/**
 * Returns the type of the innermost block at the caret: a heading in a list is a heading, a list in a box is a list.
 * Undefined for other blocks.
 */
function currentBlockTypeOf(state: ToolbarState): BlockMenuChoice | undefined {
  const is = [...blockTypes, ...hazardAlerts, ...otherAlerts].filter(({ pressed }) => pressed?.(state));
  return is.find(({ label }) => label !== texts.quote) ?? is[0];
}

const blockOption = ({ label, icon: Icon }: BlockMenuChoice) => ({ value: label, label, icon: <Icon aria-hidden /> });

interface TurnIntoChoicesProps {
  state: ToolbarState;
  choose(command: Command): void;
}

export function TurnIntoChoices({ state, choose }: TurnIntoChoicesProps) {
  const turnInto = (label: string): void => {
    const form = [...blockTypes, ...hazardAlerts, ...otherAlerts].find((one) => one.label === label);
    if (form && typeof form.does !== "string") choose(form.does);
  };
  const choice = { value: currentBlockTypeOf(state)?.label ?? "", onValueChange: turnInto };
  return (
    <>
      <MenuChoice {...choice} options={[...blockTypes, ...hazardAlerts].map(blockOption)} />
      <Submenu label={texts.otherBoxes}>
        <MenuChoice {...choice} options={otherAlerts.map(blockOption)} />
      </Submenu>
    </>
  );
}

/** The menu in the selection bar that changes the type of the block. */
export function TurnIntoMenu(props: EditorMenuProps) {
  const { state } = props;
  const { choose, onCloseAutoFocus } = useMenuFocus(props);
  const form = currentBlockTypeOf(state)?.label ?? texts.paragraph;
  const trigger = (
    <Tool
      label={texts.turnInto({ form })}
      className="w-auto! whitespace-nowrap grid-flow-col gap-1 px-2 text-sm text-text"
    >
      <span aria-hidden>{form}</span>
      <ChevronDown aria-hidden className="size-3.5!" />
    </Tool>
  );
  return (
    <DropdownMenu trigger={trigger} align="start" isTall onCloseAutoFocus={onCloseAutoFocus}>
      <TurnIntoChoices state={state} choose={choose} />
      <MenuSeparator />
      <MenuItem icon={<Copy aria-hidden />} onSelect={() => choose(duplicateBlock)}>
        {texts.duplicate}
      </MenuItem>
      <MenuItem icon={<Trash2 aria-hidden />} destructive onSelect={() => choose(deleteBlock)}>
        {texts.deleteBlock}
      </MenuItem>
    </DropdownMenu>
  );
}
