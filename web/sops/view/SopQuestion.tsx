/** Asks before what readers notice: loaded when the first question is asked. */
import { AlertDialog } from "../../ui/AlertDialog.tsx";
import { confirmTexts as texts } from "./confirm-texts.ts";
import { texts as viewTexts } from "./view-texts.ts";

export type ActionToConfirm = "unpublish" | "archive" | "remove";

interface SopQuestionProps {
  asked: ActionToConfirm;
  sop: { title: string };
  busy?: boolean;
  onConfirm(): void;
  onClose(): void;
}

export function SopQuestion({ asked, sop, busy = false, onConfirm, onClose }: SopQuestionProps) {
  const questions = {
    unpublish: { title: texts.unpublishAsk, description: texts.unpublishText, confirm: viewTexts.unpublish },
    archive: { title: texts.archiveAsk, description: texts.archiveText, confirm: viewTexts.archive },
    remove: {
      title: `Are you sure you want to delete ${sop.title}?`,
      description: texts.removeText,
      confirm: viewTexts.remove,
    },
  };
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      {...questions[asked]}
      cancel={texts.cancel}
      destructive={asked === "remove"}
      busy={busy}
      onConfirm={onConfirm}
    />
  );
}
