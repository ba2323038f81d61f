/**
 * Asks for confirmation of actions that can't be undone: suspending ends sessions and tokens, deleting ends the
 * account.
 */
import { useState } from "react";
import type { User } from "#core/users/schema.ts";
import { printedName } from "#core/users/printed-name.ts";
import { Alert } from "../ui/Alert.tsx";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { texts } from "./texts.ts";

export interface UserToConfirm {
  verb: "suspend" | "remove";
  user: User;
}

interface UserConfirmDialogProps {
  subject: UserToConfirm;
  busy?: boolean;
  /** @returns the reason for a refusal, or null after success */
  carryOut(): Promise<string | null>;
  onClose(): void;
}

export function UserConfirmDialog({
  subject: { verb, user },
  busy = false,
  carryOut,
  onClose,
}: UserConfirmDialogProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const words = {
    suspend: {
      title: texts.suspendAsk({ name: printedName(user) }),
      description: texts.suspendText,
      confirm: texts.suspend,
      failed: texts.updateFailed,
    },
    remove: {
      title: texts.areYouSureYou({ name: user.name }),
      description: texts.theirUsernameIs({ username: user.username, removeText: texts.removeText }),
      confirm: texts.remove,
      failed: texts.removeFailed,
    },
  }[verb];
  const confirm = async () => {
    const answer = await carryOut();
    setRefusal(answer);
    if (answer === null) onClose();
  };
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={words.title}
      description={words.description}
      confirm={words.confirm}
      destructive
      busy={busy}
      onConfirm={() => void confirm()}
    >
      {refusal !== null && (
        <Alert tone="destructive" live title={words.failed}>
          {refusal === words.failed ? null : refusal}
        </Alert>
      )}
    </AlertDialog>
  );
}
