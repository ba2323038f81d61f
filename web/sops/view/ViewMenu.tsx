import {
  Archive,
  ArchiveRestore,
  BookOpenCheck,
  CalendarCheck,
  CircleOff,
  Copy,
  Download,
  History,
  Link2,
  MessageSquare,
  Printer,
  Trash2,
} from "lucide-react";
import type { ReactNode } from "react";
import type { Sop } from "#core/sops/schema.ts";
import { openThreadCount } from "../../comments/open-thread-count.ts";
import { useRead } from "../../api.ts";
import { commands } from "../../shortcuts/registry.ts";
import { DropdownMenu, MenuItem, MenuSeparator } from "../../ui/DropdownMenu.tsx";
import { useMediaQuery } from "../../ui/use-media-query.ts";
import { titleTexts } from "../history/history-title.ts";
import type { ActionToConfirm } from "./SopConfirmDialog.tsx";
import type { SopActions } from "./use-sop-actions.ts";
import { texts } from "./view-texts.ts";

const exportFormats = ["pdf", "docx", "html", "md"] as const;

interface ViewMenuProps {
  sop: Sop;
  trigger: ReactNode;
  actions: SopActions;
  onAskToRead: (() => void) | undefined;
  /** True if the button to ask for confirmations is already above the text (except on phones). */
  asksAbove: boolean;
  onHistory: (() => void) | null;
  onComments(): void;
  onShare(): void;
  onReview(): void;
  onAsk(question: ActionToConfirm): void;
}

export function ViewMenu({ sop, trigger, actions, onAskToRead, asksAbove, ...on }: ViewMenuProps) {
  const { may } = actions;
  const comments = openThreadCount(useRead("comments", "list", { params: { id: sop.id } }).data);
  const isNarrow = useMediaQuery("(max-width: 639px)");
  return (
    <DropdownMenu trigger={trigger}>
      {onAskToRead && (!asksAbove || isNarrow) && (
        <MenuItem icon={<BookOpenCheck aria-hidden />} onSelect={onAskToRead}>
          {texts.askToRead}
        </MenuItem>
      )}
      <MenuItem icon={<Link2 aria-hidden />} onSelect={on.onShare}>
        {texts.share}
        {may.share && (
          <span aria-hidden className="ml-auto pl-4 text-xs text-muted max-sm:hidden">
            {texts.shareWays}
          </span>
        )}
      </MenuItem>
      {on.onHistory && (
        <MenuItem icon={<History aria-hidden />} onSelect={on.onHistory}>
          {titleTexts.title}
          <kbd aria-hidden className="ml-auto pl-4 text-xs text-muted max-sm:hidden">
            {commands.history.keys.toUpperCase()}
          </kbd>
        </MenuItem>
      )}
      <MenuItem icon={<MessageSquare aria-hidden />} onSelect={on.onComments}>
        {texts.comments}
        {comments > 0 && <span className="ml-auto pl-4 text-xs text-muted tabular-nums">{comments}</span>}
      </MenuItem>
      <MenuItem icon={<Printer aria-hidden />} onSelect={() => window.print()}>
        {texts.print}
      </MenuItem>
      {exportFormats.map((format) => (
        <MenuItem key={format} icon={<Download aria-hidden />} onSelect={() => void actions.exportAs(format)}>
          {texts.exports[format]}
        </MenuItem>
      ))}
      {may.duplicate && (
        <MenuItem icon={<Copy aria-hidden />} onSelect={() => void actions.duplicate()}>
          {texts.duplicate}
        </MenuItem>
      )}
      {(may.review || may.unpublish || may.archive || may.unarchive || may.remove) && <MenuSeparator />}
      {may.review && (
        <MenuItem icon={<CalendarCheck aria-hidden />} onSelect={on.onReview}>
          {texts.review}
        </MenuItem>
      )}
      {may.unpublish && (
        <MenuItem icon={<CircleOff aria-hidden />} onSelect={() => on.onAsk("unpublish")}>
          {texts.unpublish}
        </MenuItem>
      )}
      {may.archive && (
        <MenuItem icon={<Archive aria-hidden />} onSelect={() => on.onAsk("archive")}>
          {texts.archive}
        </MenuItem>
      )}
      {may.unarchive && (
        <MenuItem icon={<ArchiveRestore aria-hidden />} onSelect={() => void actions.changeStatus("unarchive")}>
          {texts.unarchive}
        </MenuItem>
      )}
      {may.remove && (
        <MenuItem icon={<Trash2 aria-hidden />} destructive onSelect={() => on.onAsk("remove")}>
          {texts.remove}
        </MenuItem>
      )}
    </DropdownMenu>
  );
}
