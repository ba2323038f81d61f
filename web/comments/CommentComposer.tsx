import { useId, useState, type ReactNode } from "react";
import { errorMessageOf } from "../api.ts";
import { Button } from "../ui/Button.tsx";
import { useToast } from "../ui/Toast.tsx";
import { useCommentDraft } from "./drafts.ts";
import { MentionField } from "./MentionField.tsx";
import { texts } from "./texts.ts";
import { useFocusLossRef } from "./use-focus-loss.ts";

interface CommentComposerProps {
  sopId: string;
  /** The key under which the typed text is kept. */
  draft: string;
  initial?: string;
  label: string;
  placeholder?: string;
  send: string;
  hint?: ReactNode;
  focused?: boolean;
  /** Sends the text. @returns a promise that resolves once the comment is stored; the text stays if it rejects */
  onSend(body: string): Promise<unknown>;
  onCancel?: () => void;
  /** Called when the field disappears while the focus is in it. */
  onLostFocus?: () => void;
}

export function CommentComposer({
  sopId,
  draft,
  initial = "",
  label,
  placeholder,
  send,
  hint,
  ...props
}: CommentComposerProps) {
  const { focused = false, onSend, onCancel, onLostFocus } = props;
  const form = useFocusLossRef<HTMLFormElement>(() => onLostFocus?.());
  const [text, setText, clear] = useCommentDraft(draft, initial);
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const hintId = useId();
  const cancel =
    onCancel &&
    (() => {
      clear();
      onCancel();
    });
  const sendText = async (): Promise<void> => {
    if (busy || text.trim() === "") return;
    setBusy(true);
    try {
      await onSend(text);
      clear();
    } catch (error) {
      toast({ title: texts.error, description: errorMessageOf(error, texts.sendFailed), variant: "destructive" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      ref={form}
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void sendText();
      }}
    >
      <MentionField
        sopId={sopId}
        label={label}
        {...(placeholder !== undefined && { placeholder })}
        describedBy={hint ? hintId : undefined}
        value={text}
        focused={focused}
        onChange={setText}
        onSubmit={() => void sendText()}
        onCancel={cancel}
      />
      {hint && (
        <p id={hintId} className="text-xs text-muted">
          {hint}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" disabled={text.trim() === ""} busy={busy}>
          {send}
        </Button>
        {cancel && (
          <Button size="sm" variant="ghost" onClick={cancel}>
            {texts.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}
