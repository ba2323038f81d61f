/** Asks before what readers notice: loaded when the first question is asked. */
import type { Sop } from "#core/sops/schema.ts";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import type { SopActions } from "./use-sop-actions.ts";
import type { Question } from "./ViewActions.tsx";
import { confirmTexts } from "./confirm-texts.ts";
import { texts as viewTexts } from "./view-texts.ts";

const texts = { ...viewTexts, ...confirmTexts };

interface ViewConfirmProps {
  asked: Question;
  sop: Sop;
  actions: SopActions;
  onClose(): void;
}

export function ViewConfirm({ asked, sop, actions, onClose }: ViewConfirmProps) {
  const questions = {
    unpublish: { title: texts.unpublishAsk, description: texts.unpublishText, confirm: texts.unpublish },
    archive: { title: texts.archiveAsk, description: texts.archiveText, confirm: texts.archive },
    remove: {
      title: `Are you sure you want to delete ${sop.title}?`,
      description: texts.removeText,
      confirm: texts.remove,
    },
  };
  const { title, description, confirm } = questions[asked];
  const carryOut = async (): Promise<void> => {
    await (asked === "remove" ? actions.remove() : actions.move(asked));
    onClose();
  };
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      confirm={confirm}
      cancel={texts.cancel}
      destructive={asked === "remove"}
      busy={actions.busy}
      onConfirm={() => void carryOut()}
    />
  );
}
