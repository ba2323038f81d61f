import { Archive, ArchiveRestore, CalendarCheck, CircleOff, Download, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { DropdownMenu, MenuItem, MenuSeparator, Submenu } from "../../ui/DropdownMenu.tsx";
import type { SopActions } from "./use-sop-actions.ts";
import type { ActionToConfirm } from "./SopConfirmDialog.tsx";
import { texts } from "./view-texts.ts";

const formats = ["docx", "html", "md"] as const;

interface ViewMenuProps {
  sopId: string;
  trigger: ReactNode;
  actions: SopActions;
  onAsk(question: ActionToConfirm): void;
  onReview(): void;
}

export function ViewMenu({ sopId, trigger, actions, onAsk, onReview }: ViewMenuProps) {
  const { may } = actions;
  const moves = may.review || may.unpublish || may.archive || may.unarchive;
  // on a phone there is no room beside a menu for another one
  const isNarrow = window.matchMedia("(max-width: 639px)").matches;
  return (
    <DropdownMenu trigger={trigger}>
      {may.review && (
        <MenuItem icon={<CalendarCheck aria-hidden />} onSelect={onReview}>
          {texts.review}
        </MenuItem>
      )}
      {may.unpublish && (
        <MenuItem icon={<CircleOff aria-hidden />} onSelect={() => onAsk("unpublish")}>
          {texts.unpublish}
        </MenuItem>
      )}
      {may.archive && (
        <MenuItem icon={<Archive aria-hidden />} onSelect={() => onAsk("archive")}>
          {texts.archive}
        </MenuItem>
      )}
      {may.unarchive && (
        <MenuItem icon={<ArchiveRestore aria-hidden />} onSelect={() => void actions.move("unarchive")}>
          {texts.unarchive}
        </MenuItem>
      )}
      {moves && <MenuSeparator />}
      {(moves || may.remove) && !isNarrow ? (
        <Submenu icon={<Download aria-hidden />} label={texts.otherFormats}>
          <Exports sopId={sopId} />
        </Submenu>
      ) : (
        <Exports sopId={sopId} />
      )}
      {may.remove && <MenuSeparator />}
      {may.remove && (
        <MenuItem icon={<Trash2 aria-hidden />} destructive onSelect={() => onAsk("remove")}>
          {texts.remove}
        </MenuItem>
      )}
    </DropdownMenu>
  );
}

/** All that a reader's menu holds; a menu of its own where there is more to do, and room for it. */
function Exports({ sopId }: { sopId: string }) {
  return formats.map((format) => (
    <MenuItem key={format} asChild>
      <a href={`/api/sops/${sopId}/export?format=${format}`} download>
        <Download aria-hidden />
        {texts.exports[format]}
      </a>
    </MenuItem>
  ));
}
