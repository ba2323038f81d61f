/**
 * The plus and grip buttons beside a block, to add or move a block. Their keys are Alt+Up, Alt+Down, `/` and Alt+F10.
 */
import { ArrowDown, ArrowUp, Copy, GripVertical, Plus, Trash2 } from "lucide-react";
import type { Command } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { DropdownMenu, MenuItem, MenuSeparator, Submenu } from "../ui/DropdownMenu.tsx";
import { Tooltip } from "../ui/Tooltip.tsx";
import { addBlockBelow, deleteBlock, duplicateBlock, moveBlock } from "./block-commands.ts";
import { openBlockMenu } from "./block-menu.ts";
import { useMenuFocus } from "./EditorMenus.tsx";
import { texts } from "./texts.ts";
import { nothingActive, readToolbarState } from "./toolbar-state.ts";
import { TurnIntoChoices } from "./TurnInto.tsx";
import type { BlockHandle } from "./block-handle.ts";

interface BlockHandleToolsProps {
  handle: BlockHandle;
  view: EditorView;
  runCommand(command: Command): void;
  focusText(): void;
}

const buttonStyle =
  "inline-grid h-7 w-6 place-items-center rounded-sm text-muted hover:bg-sunken hover:text-text [&_svg]:size-4";

export function BlockHandleTools({ handle, view, runCommand, focusText }: BlockHandleToolsProps) {
  const [isOpen, setOpen] = useState(false);
  const [state, setState] = useState(nothingActive);
  useEffect(() => handle.attach(), [handle]);
  const { choose, onCloseAutoFocus } = useMenuFocus({ runCommand, focusText });
  /** Moves the caret to the block beside the handle, so that commands apply to that block. */
  const moveCaretToBlock = (): void => {
    const tr = handle.createCaretTransaction(view.state);
    if (tr) view.dispatch(tr);
    setState(readToolbarState(view.state));
  };
  const addBlock = (): void => {
    moveCaretToBlock();
    runCommand(addBlockBelow);
    openBlockMenu(view);
  };
  const openMenu = (): void => {
    moveCaretToBlock();
    // Milkdown's handle moves the focus to the text a frame after the pointer is released, which would close the menu.
    requestAnimationFrame(() => setOpen(true));
  };
  return createPortal(
    <>
      <Tooltip content={texts.addBelow}>
        <button type="button" tabIndex={-1} aria-label={texts.addBelow} className={buttonStyle} onClick={addBlock}>
          <Plus aria-hidden />
        </button>
      </Tooltip>
      {/* This button opens the menu on click. The menu's own trigger opens on pointer down and would prevent dragging. */}
      <button
        type="button"
        tabIndex={-1}
        aria-label={texts.blockMenu}
        aria-haspopup="menu"
        className={`${buttonStyle} cursor-grab`}
        onClick={openMenu}
      >
        <GripVertical aria-hidden />
      </button>
      <DropdownMenu
        trigger={
          <span aria-hidden className="sr-only">
            {texts.blockMenu}
          </span>
        }
        align="start"
        open={isOpen}
        onOpenChange={setOpen}
        onCloseAutoFocus={(event) => {
          onCloseAutoFocus(event);
          if (event.defaultPrevented) return;
          event.preventDefault();
          focusText();
        }}
      >
        {!state.inTable && (
          <Submenu label={texts.turnIntoMenu}>
            <TurnIntoChoices state={state} choose={choose} />
          </Submenu>
        )}
        <MenuItem icon={<ArrowUp aria-hidden />} onSelect={() => choose(moveBlock(-1))}>
          {texts.moveUp}
        </MenuItem>
        <MenuItem icon={<ArrowDown aria-hidden />} onSelect={() => choose(moveBlock(1))}>
          {texts.moveDown}
        </MenuItem>
        <MenuItem icon={<Copy aria-hidden />} onSelect={() => choose(duplicateBlock)}>
          {texts.duplicate}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 aria-hidden />} destructive onSelect={() => choose(deleteBlock)}>
          {texts.deleteBlock}
        </MenuItem>
      </DropdownMenu>
    </>,
    handle.element,
  );
}
