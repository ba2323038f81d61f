/** Everything else that the edit screen can do. */
import { ClipboardCheck, Ellipsis, Eye, History, Save, Sparkles } from "lucide-react";
import { ApiError } from "#core/contract/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { placeTexts } from "../../ai/place-texts.ts";
import { useAssistantPanel } from "../../ai/use-panel.ts";
import { useRead } from "../../api.ts";
import { useMay } from "../../session.tsx";
import { runCommand } from "../../shortcuts/use-command.ts";
import { Button } from "../../ui/Button.tsx";
import { DropdownMenu, MenuItem, MenuSeparator } from "../../ui/DropdownMenu.tsx";
import { historyTitle } from "../history/history-title.ts";
import { barTexts, texts } from "./edit-texts.ts";
import { EnhanceItems } from "./EnhanceItems.tsx";
import type { Enhancing } from "./use-enhance.ts";
import type { NextAction } from "./use-next-action.ts";

interface EditMenuProps {
  sop: Sop | null;
  enhancing: Enhancing;
  submit: NextAction;
  onSave(): void;
  onPreview(): void;
}

export function EditMenu({ sop, enhancing, submit, onSave, onPreview }: EditMenuProps) {
  const may = useMay();
  const assistant = useAssistantPanel();
  const trigger = (
    // gets the focus back from the assistant
    <Button variant="ghost" size="icon" aria-label={barTexts.more} data-assistant-open>
      <Ellipsis aria-hidden />
    </Button>
  );
  const isNarrow = window.matchMedia("(max-width: 639px)").matches;
  return (
    <DropdownMenu
      trigger={trigger}
      // a window that opened meanwhile keeps the focus
      onCloseAutoFocus={(event) => {
        if (document.activeElement?.closest("dialog,[role=dialog]")) event.preventDefault();
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
      <EnhanceItems enhancing={enhancing} />
    </DropdownMenu>
  );
}

/** Without version control (501) there is none. */
function HistoryItem({ sop }: { sop: Sop }) {
  const { error } = useRead("sops", "versions", { params: { id: sop.id } });
  if (error instanceof ApiError && error.status === 501) return null;
  return (
    <MenuItem icon={<History aria-hidden />} onSelect={() => void runCommand("history")}>
      {historyTitle}
    </MenuItem>
  );
}
