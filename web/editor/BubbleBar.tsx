/** The formatting bar beside a selection. Alt+F10 also opens it at the caret. */
import { ImagePlus, Link2, Maximize2, Minimize2, Redo2, Trash2, Undo2 } from "lucide-react";
import type { EditorView } from "@milkdown/kit/prose/view";
import type { Command } from "@milkdown/kit/prose/state";
import { useEffect, useRef } from "react";
import { commands } from "../shortcuts/registry.ts";
import { Tool, Toolbar } from "../ui/Toolbar.tsx";
import { tools, type BlockDialog, type EditorTool } from "./blocks.ts";
import { TableMenu } from "./EditorMenus.tsx";
import { FloatingBox } from "./FloatingBox.tsx";
import { imageElementAt, removeImage, scaleImage } from "./image-properties.ts";
import { texts } from "./texts.ts";
import type { ToolbarState } from "./toolbar-state.ts";
import { TurnIntoMenu } from "./TurnInto.tsx";

interface BubbleBarProps {
  view: EditorView;
  state: ToolbarState;
  /** True if a key opened the bar. Its first tool then takes the focus. */
  isOpenedByKey: boolean;
  runCommand(command: Command): void;
  focusText(): void;
  onOpenDialog(what: BlockDialog): void;
}

const markTools: readonly EditorTool[] = [tools.bold, tools.italic, tools.strike, tools.code];

export function BubbleBar({ view, state, isOpenedByKey, runCommand, focusText, onOpenDialog }: BubbleBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpenedByKey) bar.current?.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
  }, [isOpenedByKey]);
  const { from, to } = state.picture || state.to > state.from ? state : view.state.selection;
  const menu = { state, runCommand, focusText };
  const toolElement = ({ label, icon: Icon, command, keys, pressed, enabled }: EditorTool) => (
    <Tool
      key={label}
      label={label}
      {...(keys && { shortcut: keys })}
      {...(pressed && { pressed: pressed(state) })}
      disabled={enabled?.(state) === false}
      onClick={() => runCommand(command)}
    >
      <Icon aria-hidden />
    </Tool>
  );
  return (
    <FloatingBox
      view={view}
      at={from}
      to={to}
      isBeside
      className="w-max"
      over={state.picture ? imageElementAt(view, from) : null}
      ref={bar}
    >
      <Toolbar
        label={texts.toolbar}
        className="max-w-full rounded-md"
        // a click on a tool must not take the selection away from the text
        onMouseDown={(event) => event.preventDefault()}
      >
        {state.picture ? (
          <ImageTools runCommand={runCommand} onOpenDialog={onOpenDialog} />
        ) : (
          <>
            {state.inTable ? <TableMenu {...menu} /> : <TurnIntoMenu {...menu} />}
            <BarDivider />
            {markTools.map(toolElement)}
            <Tool
              label={texts.link}
              shortcut={commands.link.keys}
              pressed={state.link !== null}
              onClick={() => onOpenDialog("link")}
            >
              <Link2 aria-hidden />
            </Tool>
            {isOpenedByKey && (
              <>
                <BarDivider />
                {!state.inTable && toolElement(tools.table)}
                <Tool label={texts.image} onClick={() => onOpenDialog("picture")}>
                  <ImagePlus aria-hidden />
                </Tool>
                {[
                  { ...tools.undo, icon: Undo2 },
                  { ...tools.redo, icon: Redo2 },
                ].map(toolElement)}
              </>
            )}
          </>
        )}
      </Toolbar>
    </FloatingBox>
  );
}

const BarDivider = () => <span aria-hidden className="mx-1 h-5 w-px bg-line max-sm:mx-0" />;

function ImageTools({ runCommand, onOpenDialog }: Pick<BubbleBarProps, "runCommand" | "onOpenDialog">) {
  return (
    <>
      <Tool
        label={texts.editPicture}
        className="w-auto! whitespace-nowrap px-2 text-sm text-text"
        onClick={() => onOpenDialog("picture")}
      >
        <span aria-hidden>{texts.editPicture}</span>
      </Tool>
      <Tool
        label={texts.caption}
        // A phone has no room for this tool. The dialog for the description has the caption too.
        className="w-auto! whitespace-nowrap px-2 text-sm text-text max-sm:hidden"
        onClick={() => onOpenDialog("caption")}
      >
        <span aria-hidden>{texts.caption}</span>
      </Tool>
      <BarDivider />
      <Tool label={texts.smaller} onClick={() => runCommand(scaleImage(1 / 1.25))}>
        <Minimize2 aria-hidden />
      </Tool>
      <Tool label={texts.larger} onClick={() => runCommand(scaleImage(1.25))}>
        <Maximize2 aria-hidden />
      </Tool>
      <BarDivider />
      <Tool label={texts.removePicture} onClick={() => runCommand(removeImage)}>
        <Trash2 aria-hidden />
      </Tool>
    </>
  );
}
