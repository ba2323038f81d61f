/** A bar above a phone's keyboard with the most common blocks, shown while the caret is in the text. */
import { Link2, Plus, Image as Picture } from "lucide-react";
import type { Command } from "@milkdown/kit/prose/state";
import { alertGrades } from "#core/markdown/alert-grades.ts";
import { Tool, Toolbar } from "../ui/Toolbar.tsx";
import { toggleAlert } from "./commands.ts";
import { TableMenu } from "./EditorMenus.tsx";
import { texts } from "./texts.ts";
import { hazardAlerts, tools, type BlockDialog, type EditorTool } from "./blocks.ts";
import type { ToolbarState } from "./toolbar-state.ts";

interface InsertBarProps {
  state: ToolbarState;
  runCommand(command: Command): void;
  focusText(): void;
  /** Opens the menu of all blocks. */
  onInsert(): void;
  onOpenDialog(what: BlockDialog): void;
}

export function InsertBar({ state, runCommand, focusText, onInsert, onOpenDialog }: InsertBarProps) {
  const warning = hazardAlerts.find(({ label }) => label === alertGrades.warning.title);
  const toolElement = ({ label, icon: Icon, command, pressed, enabled }: EditorTool) => (
    <Tool
      label={label}
      {...(pressed && { pressed: pressed(state) })}
      disabled={enabled?.(state) === false}
      onClick={() => runCommand(command)}
    >
      <Icon aria-hidden />
    </Tool>
  );
  return (
    <Toolbar
      ref={keepAboveKeyboard}
      label={texts.insertBar}
      className="fixed inset-x-0 bottom-0 z-20 hidden flex-nowrap! justify-around border-t bg-sunken max-sm:flex pointer-coarse:flex"
      onMouseDown={(event) => event.preventDefault()}
    >
      <Tool label={texts.insert} onClick={onInsert}>
        <Plus aria-hidden />
      </Tool>
      {state.inTable ? <TableMenu {...{ state, runCommand, focusText }} /> : toolElement(tools.heading)}
      {toolElement(tools.ordered)}
      {warning && (
        <Tool
          label={warning.label}
          pressed={state.alert === "warning"}
          disabled={state.inTable}
          onClick={() => runCommand(toggleAlert("warning"))}
        >
          <warning.icon aria-hidden />
        </Tool>
      )}
      <Tool label={texts.image} onClick={() => onOpenDialog("picture")}>
        <Picture aria-hidden />
      </Tool>
      <Tool label={texts.link} onClick={() => onOpenDialog("link")}>
        <Link2 aria-hidden />
      </Tool>
      {toolElement(tools.undo)}
    </Toolbar>
  );
}

/** A `ref` that keeps the bar above a phone's keyboard. The keyboard covers the window without making it smaller. */
function keepAboveKeyboard(bar: HTMLElement | null): (() => void) | undefined {
  const seen = window.visualViewport;
  if (!bar || !seen) return undefined;
  const placeBar = (): void => {
    const covered = document.documentElement.clientHeight - seen.height - seen.offsetTop;
    bar.style.bottom = `${Math.max(0, covered)}px`;
  };
  placeBar();
  seen.addEventListener("resize", placeBar);
  seen.addEventListener("scroll", placeBar);
  return () => {
    seen.removeEventListener("resize", placeBar);
    seen.removeEventListener("scroll", placeBar);
  };
}
