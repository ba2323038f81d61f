/** The menu with the actions of the edit screen that aren't in its bar. */
import { ClipboardCheck, Code, Ellipsis, Eye, Focus, History, Redo2, Save, Sparkles, Undo2 } from "lucide-react";
import type { RefObject } from "react";
import { ApiError } from "#core/api/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { placeTexts } from "../../ai/place-texts.ts";
import { useAssistantPanel } from "../../ai/use-panel.ts";
import { useRead } from "../../api.ts";
import type { EditorHandle, EditorMode } from "../../editor/editor-handle.ts";
import { useMay } from "../../session.tsx";
import { runCommand } from "../../shortcuts/use-command.ts";
import { Button } from "../../ui/Button.tsx";
import { DropdownMenu, MenuItem, MenuSeparator } from "../../ui/DropdownMenu.tsx";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import { titleTexts } from "../history/history-title.ts";
import { barTexts, texts } from "./edit-texts.ts";
import { EnhanceItems } from "./EnhanceItems.tsx";
import type { ImproveControls } from "./use-enhance.ts";
import type { NextAction } from "./use-next-action.ts";

interface EditMenuProps {
  sop: Sop | null;
  editor: RefObject<EditorHandle | null>;
  /** The current mode of the editor. */
  mode: EditorMode;
  enhancing: ImproveControls;
  submit: NextAction;
  onSave(): void;
  onPreview(): void;
}

export function EditMenu({ sop, editor, mode, enhancing, submit, onSave, onPreview }: EditMenuProps) {
  const may = useMay();
  const assistant = useAssistantPanel();
  const onFocusMode = (): void => {
    editor.current?.switchFocusMode();
    // In focus mode the menu's button is hidden, so the text takes the focus.
    editor.current?.focus();
  };
  const trigger = (
    // The button gets the focus back from the assistant.
    <Button variant="ghost" size="icon" aria-label={barTexts.more} data-assistant-open>
      <Ellipsis aria-hidden />
    </Button>
  );
  const isNarrow = useMediaQuery("(max-width: 639px)");
  return (
    <DropdownMenu
      trigger={trigger}
      isTall
      // The focus stays in a dialog that has opened, or in the text.
      onCloseAutoFocus={(event) => {
        if (document.activeElement?.closest("dialog,[role=dialog],.editor")) event.preventDefault();
      }}
    >
      {isNarrow && (
        <MenuItem icon={<Save aria-hidden />} onSelect={onSave}>
          {texts.save}
        </MenuItem>
      )}
      {submit && (
        <MenuItem icon={<ClipboardCheck aria-hidden />} disabled={!submit.isDue} onSelect={submit.run}>
          {barTexts.submit}
        </MenuItem>
      )}
      <MenuItem icon={<Eye aria-hidden />} onSelect={onPreview}>
        {texts.preview}
      </MenuItem>
      {sop && <HistoryItem sop={sop} />}
      {may("sop.create") && (
        <MenuItem icon={<Sparkles aria-hidden />} onSelect={assistant.toggle}>
          {placeTexts.title}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Undo2 aria-hidden />} onSelect={() => editor.current?.undo()}>
        {barTexts.undo}
      </MenuItem>
      <MenuItem icon={<Redo2 aria-hidden />} onSelect={() => editor.current?.redo()}>
        {barTexts.redo}
      </MenuItem>
      <MenuItem icon={<Code aria-hidden />} onSelect={() => editor.current?.switchMode()}>
        {mode === "rich" ? barTexts.source : barTexts.rich}
      </MenuItem>
      <MenuItem icon={<Focus aria-hidden />} onSelect={onFocusMode}>
        {barTexts.focusMode}
      </MenuItem>
      <MenuSeparator />
      <EnhanceItems enhancing={enhancing} />
    </DropdownMenu>
  );
}

/** The menu item that opens the version history. It is left out on a server without version control (501). */
function HistoryItem({ sop }: { sop: Sop }) {
  const { error } = useRead("sops", "versions", { params: { id: sop.id } });
  if (error instanceof ApiError && error.status === 501) return null;
  return (
    <MenuItem icon={<History aria-hidden />} onSelect={() => void runCommand("history")}>
      {titleTexts.title}
    </MenuItem>
  );
}
