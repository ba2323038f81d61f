import {
  Bold,
  ChevronDown,
  Code,
  Heading2,
  Heading3,
  Heading4,
  ImagePlus,
  Italic,
  Link2,
  List,
  ListChecks,
  ListOrdered,
  Minus,
  Pilcrow,
  Quote,
  Redo2,
  SquareCode,
  Strikethrough,
  Table2,
  TriangleAlert,
  Undo2,
  type LucideIcon,
} from "lucide-react";
import { redo, undo } from "@milkdown/kit/prose/history";
import type { Command } from "@milkdown/kit/prose/state";
import { lazy, useRef, type ReactNode, type Ref } from "react";
import { MenuOnDemand } from "../ui/MenuOnDemand.tsx";
import { Tool, Toolbar, ToolbarSeparator } from "../ui/Toolbar.tsx";
import { insertTable, list, mark, quote, rule, textBlock } from "./commands.ts";
import type { MenuProps } from "./EditorMenus.tsx";
import { pictureTypes } from "./images.ts";
import { texts } from "./texts.ts";
import type { ToolbarState } from "./toolbar-state.ts";

interface EditorToolbarProps {
  state: ToolbarState;
  disabled: boolean;
  run(command: Command): void;
  /** Puts the cursor back into the text. */
  focusText(): void;
  onLink(): void;
  onPictures(files: readonly File[]): void;
  /** What stands at the end of the row. */
  children: ReactNode;
  ref: Ref<HTMLDivElement>;
}

interface ToolRow {
  label: string;
  icon: LucideIcon;
  command: Command;
  shortcut?: string;
  pressed?: (state: ToolbarState) => boolean;
  enabled?: (state: ToolbarState) => boolean;
}

const groups: readonly (readonly ToolRow[])[] = [
  [
    { label: texts.undo, icon: Undo2, command: undo, shortcut: "Mod+Z", enabled: (state) => state.canUndo },
    { label: texts.redo, icon: Redo2, command: redo, shortcut: "Mod+Y", enabled: (state) => state.canRedo },
  ],
  [
    block(texts.paragraph, Pilcrow, "paragraph", "Mod+Alt+0", textBlock("paragraph")),
    block(texts.heading2, Heading2, "heading-2", "Mod+Alt+2", textBlock("heading", { level: 2 })),
    block(texts.heading3, Heading3, "heading-3", "Mod+Alt+3", textBlock("heading", { level: 3 })),
    block(texts.heading4, Heading4, "heading-4", "Mod+Alt+4", textBlock("heading", { level: 4 })),
  ],
  [
    { label: texts.bold, icon: Bold, command: mark("strong"), shortcut: "Mod+B", pressed: (state) => state.bold },
    {
      label: texts.italic,
      icon: Italic,
      command: mark("emphasis"),
      shortcut: "Mod+I",
      pressed: (state) => state.italic,
    },
    {
      label: texts.strike,
      icon: Strikethrough,
      command: mark("strike_through"),
      shortcut: "Mod+Shift+X",
      pressed: (state) => state.strike,
    },
    { label: texts.code, icon: Code, command: mark("inlineCode"), shortcut: "Mod+E", pressed: (state) => state.code },
  ],
  [
    listTool(texts.bullet, List, "bullet", "Mod+Alt+8"),
    listTool(texts.ordered, ListOrdered, "ordered", "Mod+Alt+7"),
    listTool(texts.task, ListChecks, "task", "Mod+Alt+9"),
  ],
  [
    { label: texts.quote, icon: Quote, command: quote, shortcut: "Mod+Shift+B", pressed: (state) => state.quote },
    block(texts.codeBlock, SquareCode, "code", "Mod+Alt+C", textBlock("code_block")),
    { label: texts.rule, icon: Minus, command: rule, enabled: (state) => !state.inTable },
  ],
];

function block(
  label: string,
  icon: LucideIcon,
  is: ToolbarState["block"],
  shortcut: string,
  command: Command,
): ToolRow {
  return { label, icon, command, shortcut, pressed: (state) => state.block === is, enabled: (state) => !state.inTable };
}

function listTool(label: string, icon: LucideIcon, kind: "bullet" | "ordered" | "task", shortcut: string): ToolRow {
  return {
    label,
    icon,
    command: list(kind),
    shortcut,
    pressed: (state) => state.list === kind,
    enabled: (state) => !state.inTable,
  };
}

export function EditorToolbar({
  state,
  disabled,
  run,
  focusText,
  onLink,
  onPictures,
  children,
  ref,
}: EditorToolbarProps) {
  return (
    <Toolbar
      ref={ref}
      label={texts.toolbar}
      className="sticky top-14 z-10 rounded-t-md border-b"
      // a click on a tool must not take the selection away from the text
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map((group, index) => (
        <span key={index} className="contents">
          {group.map(({ label, icon: Icon, command, shortcut, pressed, enabled }) => (
            <Tool
              key={label}
              label={label}
              {...(shortcut && { shortcut })}
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
              shortcut="Mod+K"
              pressed={!disabled && state.link !== null}
              disabled={disabled}
              onClick={onLink}
            >
              <Link2 aria-hidden />
            </Tool>
          )}
          <ToolbarSeparator />
        </span>
      ))}
      <AlertTool {...{ state, disabled, run, focusText }} />
      <TableTool {...{ state, disabled, run, focusText }} />
      <PictureTool disabled={disabled} onPictures={onPictures} />
      {children}
    </Toolbar>
  );
}

/** Menus load when one is first asked for. */
const AlertMenu = lazy(() => import("./EditorMenus.tsx").then((module) => ({ default: module.AlertMenu })));
const TableMenu = lazy(() => import("./EditorMenus.tsx").then((module) => ({ default: module.TableMenu })));

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
  return (
    <MenuOnDemand trigger={trigger}>
      <AlertMenu {...props} trigger={trigger} />
    </MenuOnDemand>
  );
}

function TableTool(props: MenuProps) {
  const { state, disabled, run } = props;
  if (!state.inTable) {
    return (
      <Tool label={texts.insertTable} disabled={disabled} onClick={() => run(insertTable)}>
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
  return (
    <MenuOnDemand trigger={trigger}>
      <TableMenu {...props} trigger={trigger} />
    </MenuOnDemand>
  );
}

function PictureTool({ disabled, onPictures }: Pick<EditorToolbarProps, "disabled" | "onPictures">) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Tool label={texts.image} disabled={disabled} onClick={() => input.current?.click()}>
        <ImagePlus aria-hidden />
      </Tool>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={pictureTypes.join(",")}
        onChange={(event) => {
          onPictures([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}
