/** Handles for the row and the column at the caret, and buttons that add a row or column at the table's end. */
import { Ellipsis, GripVertical, Plus } from "lucide-react";
import type { Command } from "@milkdown/kit/prose/state";
import type { EditorView } from "@milkdown/kit/prose/view";
import { Fragment, useLayoutEffect, useRef, type ReactNode } from "react";
import { DropdownMenu, MenuItem, MenuSeparator } from "../ui/DropdownMenu.tsx";
import { Tooltip } from "../ui/Tooltip.tsx";
import { useMenuFocus } from "./EditorMenus.tsx";
import { columnCommands, addColumnAtEnd, addRowAtEnd, rowCommands, type TableCommand } from "./table-commands.ts";
import { texts } from "./texts.ts";

interface TableHandlesProps {
  view: EditorView;
  /** The position of the cell at the caret. */
  cell: number;
  runCommand(command: Command): void;
  focusText(): void;
}

export function TableHandles({ view, cell, runCommand, focusText }: TableHandlesProps) {
  const row = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const after = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const menu = { view, runCommand, focusText };
  useLayoutEffect(() => {
    const shown = view.nodeDOM(cell);
    const table = shown instanceof HTMLElement ? shown.closest("table") : null;
    const line = shown instanceof HTMLElement ? shown.closest("tr") : null;
    if (!(shown instanceof HTMLElement) || !table || !line) return undefined;
    const placeHandles = (): void => {
      const frame = row.current?.offsetParent?.getBoundingClientRect();
      if (!frame) return;
      const [all, at, own] = [table, line, shown].map((one) => one.getBoundingClientRect());
      if (!all || !at || !own) return;
      const placeBox = (box: HTMLElement | null, left: number, top: number): void => {
        if (!box) return;
        box.style.left = `${left - frame.left}px`;
        box.style.top = `${top - frame.top}px`;
      };
      placeBox(row.current, all.left - 26, at.top + at.height / 2 - 14);
      placeBox(column.current, Math.min(own.left + own.width / 2, frame.right) - 16, all.top - 24);
      placeBox(after.current, Math.min(all.right, frame.right) + 4, all.top + all.height / 2 - 14);
      placeBox(below.current, all.left + Math.min(all.width, frame.width) / 2 - 14, all.bottom + 4);
    };
    placeHandles();
    const sizes = new ResizeObserver(placeHandles);
    for (const one of [table, view.dom, ...table.querySelectorAll("tr")]) sizes.observe(one);
    view.dom.addEventListener("scroll", placeHandles);
    return () => {
      sizes.disconnect();
      view.dom.removeEventListener("scroll", placeHandles);
    };
  }, [view, cell]);
  return (
    <>
      <div ref={row} className="editor-grip">
        <HandleMenu {...menu} label={texts.rowMenu} commands={rowCommands} size="h-7 w-5">
          <GripVertical aria-hidden />
        </HandleMenu>
      </div>
      <div ref={column} className="editor-grip">
        <HandleMenu {...menu} label={texts.columnMenu} commands={columnCommands} size="h-6 w-8">
          <Ellipsis aria-hidden />
        </HandleMenu>
      </div>
      <div ref={after} className="editor-grip">
        <AddButton label={texts.addColumn} onClick={() => runCommand(addColumnAtEnd)} />
      </div>
      <div ref={below} className="editor-grip">
        <AddButton label={texts.addRow} onClick={() => runCommand(addRowAtEnd)} />
      </div>
    </>
  );
}

const buttonStyle =
  "inline-grid place-items-center rounded-sm border border-line bg-surface text-muted hover:text-text [&_svg]:size-4";

function AddButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <Tooltip content={label}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={label}
        className={`${buttonStyle} size-7`}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClick}
      >
        <Plus aria-hidden />
      </button>
    </Tooltip>
  );
}

interface HandleMenuProps extends Pick<TableHandlesProps, "view" | "runCommand" | "focusText"> {
  label: string;
  commands: readonly TableCommand[];
  size: string;
  children: ReactNode;
}

function HandleMenu({ view, runCommand, focusText, label, commands, size, children }: HandleMenuProps) {
  const { choose, onCloseAutoFocus } = useMenuFocus({ runCommand, focusText });
  const trigger = (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      className={`${buttonStyle} ${size}`}
      onMouseDown={(event) => event.preventDefault()}
    >
      {children}
    </button>
  );
  return (
    <DropdownMenu trigger={trigger} align="start" onCloseAutoFocus={onCloseAutoFocus}>
      <TableCommandChoices {...{ view, commands, choose }} />
    </DropdownMenu>
  );
}

/** Lists the commands that apply at the caret. The commands are tested when the menu opens. */
function TableCommandChoices({
  view,
  commands,
  choose,
}: Pick<HandleMenuProps, "view" | "commands"> & { choose(does: Command): void }) {
  return commands
    .filter(({ command }) => command(view.state))
    .map(({ label, command, isRemoval }) => (
      <Fragment key={label}>
        {isRemoval && <MenuSeparator />}
        <MenuItem destructive={isRemoval ?? false} onSelect={() => choose(command)}>
          {label}
        </MenuItem>
      </Fragment>
    ));
}
