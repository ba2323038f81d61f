import { ChevronDown, ImagePlus, Link2, Table2, TriangleAlert } from "lucide-react";
import type { Command } from "@milkdown/kit/prose/state";
import type { ReactNode } from "react";
import { commands } from "../shortcuts/registry.ts";
import { Tool, Toolbar } from "../ui/Toolbar.tsx";
import { tools, type BlockDialog, type Tool as ToolRow } from "./blocks.ts";
import { AlertMenu, TableMenu, type MenuProps } from "./EditorMenus.tsx";
import { texts } from "./texts.ts";
import { keepRoom } from "./toolbar-room.ts";
import type { ToolbarState } from "./toolbar-state.ts";

interface EditorToolbarProps {
  state: ToolbarState;
  disabled: boolean;
  run(command: Command): void;
  /** Puts the cursor back into the text. */
  focusText(): void;
  onAsked(what: BlockDialog): void;
  /** Shown at the end of the row. */
  children: ReactNode;
}

const groups: readonly (readonly ToolRow[])[] = [
  [tools.undo, tools.redo],
  [tools.paragraph, tools.heading, tools.subheading, tools.smallHeading],
  [tools.bold, tools.italic, tools.strike, tools.code],
  [tools.bullet, tools.ordered, tools.task],
  [tools.quote, tools.codeBlock, tools.rule],
];

export function EditorToolbar({ state, disabled, run, focusText, onAsked, children }: EditorToolbarProps) {
  return (
    <Toolbar
      ref={keepRoom}
      label={texts.toolbar}
      className="sticky top-top z-10 rounded-t-md border-b overflow-x-clip sm:gap-x-2"
      // a click on a tool must not take the selection away from the text
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map((group, index) => (
        <span key={index} className="editor-tools">
          {group.map(({ label, icon: Icon, command, keys, pressed, enabled }) => (
            <Tool
              key={label}
              label={label}
              {...(keys && { shortcut: keys })}
              {...(pressed && { pressed: !disabled && pressed(state) })}
              disabled={disabled || enabled?.(state) === false}
              onClick={() => run(command)}
            >
              <Icon aria-hidden />
            </Tool>
          ))}
          {index === 2 && (
            <Tool
              label={texts.link}
              shortcut={commands.link.keys}
              pressed={!disabled && state.link !== null}
              disabled={disabled}
              onClick={() => onAsked("link")}
            >
              <Link2 aria-hidden />
            </Tool>
          )}
        </span>
      ))}
      <span className="editor-tools">
        <AlertTool {...{ state, disabled, run, focusText }} />
        <TableTool {...{ state, disabled, run, focusText }} />
        <Tool
          label={state.picture ? texts.editPicture : texts.image}
          pressed={!disabled && state.picture}
          disabled={disabled}
          onClick={() => onAsked("picture")}
        >
          <ImagePlus aria-hidden />
        </Tool>
      </span>
      {children}
    </Toolbar>
  );
}

function AlertTool(props: MenuProps) {
  const { state, disabled } = props;
  const trigger = (
    <Tool
      label={texts.alert}
      pressed={!disabled && state.alert !== null}
      disabled={disabled || state.inTable}
      className="w-auto grid-flow-col gap-0.5 px-1.5"
    >
      <TriangleAlert aria-hidden />
      <ChevronDown aria-hidden className="size-3!" />
    </Tool>
  );
  return <AlertMenu {...props} trigger={trigger} />;
}

function TableTool(props: MenuProps) {
  const { state, disabled, run } = props;
  if (!state.inTable) {
    return (
      <Tool label={texts.insertTable} disabled={disabled} onClick={() => run(tools.table.command)}>
        <Table2 aria-hidden />
      </Tool>
    );
  }
  const trigger = (
    <Tool label={texts.table} pressed={!disabled} disabled={disabled} className="w-auto grid-flow-col gap-0.5 px-1.5">
      <Table2 aria-hidden />
      <ChevronDown aria-hidden className="size-3!" />
    </Tool>
  );
  return <TableMenu {...props} trigger={trigger} />;
}
