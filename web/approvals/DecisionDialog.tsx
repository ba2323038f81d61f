import type { ReactNode } from "react";
import { limits } from "#core/limits.ts";
import { Alert } from "../ui/Alert.tsx";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import { texts } from "./texts.ts";
import type { DecisionFailure } from "./use-decision.ts";

interface DecisionDialogProps {
  open: boolean;
  title: string;
  description: ReactNode;
  confirm: string;
  destructive?: boolean;
  busy: boolean;
  /** True to disable the confirm button, because the request has ended. */
  confirmDisabled?: boolean;
  failure: DecisionFailure | null;
  /** The text that the decision is about, if it isn't on screen already. */
  before?: ReactNode;
  comment: string;
  /** Absent if no comment is expected. */
  commentHint?: string | undefined;
  /** True if a comment is required. */
  needsComment?: boolean;
  commentError?: string | undefined;
  onComment(comment: string): void;
  onConfirm(): void;
  onClose(): void;
}

/** The dialog before a decision, with a field for a comment and the server's refusal. */
export function DecisionDialog({
  failure,
  before,
  comment,
  commentHint,
  commentError,
  onComment,
  onClose,
  ...rest
}: DecisionDialogProps) {
  const { needsComment = false, ...question } = rest;
  return (
    <AlertDialog
      {...question}
      wide={before !== undefined}
      cancel={texts.cancel}
      onOpenChange={(open) => !open && onClose()}
    >
      {failure && (
        <Alert tone="destructive" live title={failure.title}>
          {failure.reason}
        </Alert>
      )}
      {before}
      <Field label={texts.comment} optional={!needsComment} hint={commentHint} error={commentError}>
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            required={needsComment}
            maxLength={limits.noteCharacters}
            value={comment}
            onChange={(event) => onComment(event.target.value)}
          />
        )}
      </Field>
    </AlertDialog>
  );
}
