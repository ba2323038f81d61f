/** Asks for confirmation of actions that readers notice. It loads with the first question. */
import { catalog } from "#core/language/catalog.ts";
import { AlertDialog } from "../../ui/AlertDialog.tsx";
import { LinkWarning } from "./LinkedFrom.tsx";
import { texts as viewTexts } from "./view-texts.ts";

const texts = catalog("sops.view.sop-confirm-dialog", {
  cancel: "Cancel",
  unpublishAsk: "Unpublish this SOP?",
  unpublishText: "Readers can't see it anymore. It becomes a draft.",
  archiveAsk: "Archive this SOP?",
  archiveText: "Readers can't see it anymore. You can unarchive it later.",
  removeText: "You can restore it for 30 days.",
  areYouSureYou: "Are you sure you want to delete {title}?",
});

export type ActionToConfirm = "unpublish" | "archive" | "remove";

interface SopConfirmDialogProps {
  action: ActionToConfirm;
  sop: { id: string; title: string };
  busy?: boolean;
  onConfirm(): void;
  onClose(): void;
}

export function SopConfirmDialog({ action, sop, busy = false, onConfirm, onClose }: SopConfirmDialogProps) {
  const questions = {
    unpublish: { title: texts.unpublishAsk, description: texts.unpublishText, confirm: viewTexts.unpublish },
    archive: { title: texts.archiveAsk, description: texts.archiveText, confirm: viewTexts.archive },
    remove: {
      title: texts.areYouSureYou({ title: sop.title }),
      description: texts.removeText,
      confirm: viewTexts.remove,
    },
  };
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      {...questions[action]}
      cancel={texts.cancel}
      destructive={action === "remove"}
      busy={busy}
      onConfirm={onConfirm}
    >
      <LinkWarning sopId={sop.id} />
    </AlertDialog>
  );
}
