import { useState } from "react";
import type { User } from "#core/users/schema.ts";
import { Alert } from "../ui/Alert.tsx";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { texts } from "./texts.ts";
import type { UserActions } from "./use-user-actions.ts";

interface RemoveUserDialogProps {
  user: User;
  actions: UserActions;
  onClose(): void;
}

export function RemoveUserDialog({ user, actions, onClose }: RemoveUserDialogProps) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const confirm = async () => {
    const answer = await actions.remove(user);
    setRefusal(answer);
    if (answer === null) onClose();
  };
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Are you sure you want to delete ${user.name}?`}
      description={texts.removeText}
      confirm={texts.remove}
      destructive
      busy={actions.removing}
      onConfirm={() => void confirm()}
    >
      {refusal !== null && (
        <Alert tone="destructive" live title={texts.removeFailed}>
          {refusal === texts.removeFailed ? null : refusal}
        </Alert>
      )}
    </AlertDialog>
  );
}
