import type { ReactNode } from "react";
import { limits } from "#core/limits.ts";
import { Alert } from "../ui/Alert.tsx";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { texts } from "./texts.ts";
import type { Failure } from "./use-decision.ts";

interface AskingProps {
  open: boolean;
  title: string;
  description: ReactNode;
  confirm: string;
  destructive?: boolean;
  busy: boolean;
  failure: Failure | null;
  comment: string;
  onComment(comment: string): void;
  onConfirm(): void;
  onClose(): void;
}

/** The question before a decision, with room for a comment, and its refusal. */
export function Asking({ failure, comment, onComment, onClose, ...question }: AskingProps) {
  return (
    <AlertDialog {...question} cancel={texts.cancel} onOpenChange={(open) => !open && onClose()}>
      {failure && (
        <Alert tone="destructive" live title={failure.title}>
          {failure.reason}
        </Alert>
      )}
      <Field label={texts.comment} optional>
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            maxLength={limits.noteCharacters}
            value={comment}
            onChange={(event) => onComment(event.target.value)}
          />
        )}
      </Field>
    </AlertDialog>
  );
}
