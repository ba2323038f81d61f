import { History } from "lucide-react";
import { useState, type ReactNode } from "react";
import { ApiError } from "#core/api/client.ts";
import type { Sop } from "#core/sops/schema.ts";
import { useRead } from "../../api.ts";
import { useCommand } from "../../shortcuts/use-command.ts";
import { Button } from "../../ui/Button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { titleTexts } from "./history-title.ts";

const VersionDialog = lazyPart(() => import("./VersionDialog.tsx").then((module) => module.VersionDialog));

interface VersionHistoryProps {
  sop: Sop;
  /** True to show a button. Without it a menu opens the dialog. */
  hasButton?: boolean;
  /** True if there is unsaved text. Restoring would replace it, so the dialog asks first. */
  unsaved?: boolean;
  /** @param isUndo whether the user pressed Undo; then text that was typed since the restore stays */
  onRestored(sop: Sop, isUndo?: boolean): void;
}

interface VersionHistoryState {
  /** Opens the dialog. null without version control (501), or if the user can't see versions. */
  show: (() => void) | null;
  dialog: ReactNode;
}

/** Returns the dialog, and a function for a button or a menu to open it. */
export function useVersionHistory(
  { sop, unsaved = false, onRestored }: VersionHistoryProps,
  isAllowed = true,
): VersionHistoryState {
  const [open, setOpen] = useState(false);
  // The dialog's code loads when it first opens.
  const [wasOpened, setOpened] = useState(false);
  const versions = useRead("sops", "versions", { params: { id: sop.id } }, { enabled: isAllowed });
  const isOff = !isAllowed || (versions.error instanceof ApiError && versions.error.status === 501);
  const showHistory = () => {
    setOpened(true);
    setOpen(true);
  };
  const closeUnopened = () => {
    setOpened(false);
    setOpen(false);
  };
  useCommand("history", isOff ? null : showHistory);
  if (isOff) return { show: null, dialog: null };
  return {
    show: showHistory,
    dialog: wasOpened && (
      <VersionDialog
        sop={sop}
        rows={versions.data}
        failed={versions.isError ? () => void versions.refetch() : null}
        unsaved={unsaved}
        open={open}
        onOpenChange={setOpen}
        onRestored={onRestored}
        onClose={closeUnopened}
      />
    ),
  };
}

/** The button that opens the version history, and its dialog. */
export function VersionHistory(props: VersionHistoryProps) {
  const { show, dialog } = useVersionHistory(props);
  if (!show) return null;
  return (
    <>
      {props.hasButton !== false && (
        <Button onClick={show}>
          <History aria-hidden />
          <span className="max-sm:sr-only">{titleTexts.title}</span>
        </Button>
      )}
      {dialog}
    </>
  );
}
