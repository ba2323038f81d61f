import { Check } from "lucide-react";
import { useCallback, useEffect, useId, useRef, type ReactNode } from "react";
import { limits } from "#core/limits.ts";
import { useCommentDraft } from "../comments/drafts.ts";
import { useCommand } from "../shortcuts/use-command.ts";
import { Alert } from "../ui/Alert.tsx";
import { BottomBar } from "../ui/BottomBar.tsx";
import { Button } from "../ui/Button.tsx";
import { FieldError } from "../ui/Field.tsx";
import { ignoreSecondClick } from "../ui/ignore-second-click.ts";
import { isSendKey } from "../ui/Kbd.tsx";
import { Textarea } from "../ui/Textarea.tsx";
import type { ListedApproval } from "./approval-words.ts";
import { texts } from "./texts.ts";
import type { DecisionName } from "./use-decision.ts";
import {
  decisionEffectText,
  impossibleDecisionFailureOf,
  useDecisionConfirmation,
} from "./use-decision-confirmation.ts";

interface DecisionBarProps {
  approval: ListedApproval;
  /** Shown in place of the decision buttons if the text of the request is not on the screen. */
  instead: ReactNode;
  /** Called after the decision is stored. */
  onDecided(kind: DecisionName): void;
}

/** Returns the key under which a typed comment is kept while the user looks at another request. */
export const decisionDraftKey = (requestId: string) => `decision ${requestId}`;

/**
 * A bar with a comment and three buttons to decide on a request. A button or its key asks for confirmation with the
 * version's number and moves the focus to the confirm button.
 */
export function DecisionBar({ approval, instead, onDecided }: DecisionBarProps) {
  const [comment, setComment, clearComment] = useCommentDraft(decisionDraftKey(approval.id), "");
  const isOffered = approval.mayDecide && !instead;
  const onDone = (kind: DecisionName): void => {
    clearComment();
    onDecided(kind);
  };
  const field = useRef<HTMLTextAreaElement>(null);
  const answer = useDecisionConfirmation({ approval, isOffered, comment, setComment: clearComment, onDone });
  const { decision, ask, confirm, busy, refused, missing, missingText } = answer;
  const id = useId();
  const asked = useRef<DecisionName>("approve");
  const wasAsked = useRef(false);
  const buttons = useRef<HTMLDivElement>(null);

  const beginDecision = (kind: DecisionName): void => {
    if (comment.trim() === "" && kind !== "approve") {
      answer.setWordless(kind);
      // A request for changes needs a comment; a rejection doesn't.
      if (kind === "requestChanges") return field.current?.focus();
    }
    asked.current = kind;
    ask(kind);
    if (comment.trim() === "" && kind === "reject") answer.setWordless(kind);
  };
  useCommand("approve", isOffered ? () => beginDecision("approve") : null);
  useCommand("reject", isOffered ? () => beginDecision("reject") : null);
  useCommand("requestChanges", isOffered ? () => beginDecision("requestChanges") : null);

  // The focus returns to the button that asked for confirmation.
  useEffect(() => {
    if (decision === null && wasAsked.current)
      buttons.current?.querySelector<HTMLElement>(`[data-decision=${asked.current}]`)?.focus();
    wasAsked.current = decision !== null;
  }, [decision]);
  const focusOn = useCallback((button: HTMLButtonElement | null) => button?.focus(), []);

  const isGone = !isOffered && !busy && (decision !== null || (comment.trim() !== "" && !approval.mayDecide));
  const failure = isGone ? impossibleDecisionFailureOf(approval) : refused;
  if (!approval.mayDecide && !isGone) return null;
  const closeQuestion = (): void => {
    ask(null);
    if (!approval.mayDecide) clearComment();
  };
  return (
    <BottomBar className="sm:px-8">
      <fieldset
        aria-label={texts.decideTitle}
        onClickCapture={ignoreSecondClick}
        className="flex min-w-0 grow flex-wrap items-start gap-2"
      >
        {failure && (
          <div className="basis-full">
            <Alert tone="destructive" live title={failure.title}>
              {failure.reason}
            </Alert>
          </div>
        )}
        {decision && !isGone && (
          // The question overlaps the end of the text, so that the text doesn't move while the user reads.
          <p
            id={`${id}-effect`}
            className="absolute inset-x-0 bottom-full border-t border-line bg-bg px-4 pt-2 pb-1 text-sm font-medium sm:px-8"
          >
            {decisionEffectText(decision, approval)}
          </p>
        )}
        {instead && !isGone ? (
          instead
        ) : (
          <>
            <div className="min-w-40 flex-1 basis-full sm:basis-0">
              <Textarea
                ref={field}
                rows={1}
                aria-label={texts.comment}
                placeholder={texts.commentOptional}
                aria-describedby={missingText ? `${id}-missing` : undefined}
                aria-invalid={missingText ? true : undefined}
                maxLength={limits.noteCharacters}
                className="block max-h-32 min-h-control! resize-none py-1.5! text-sm"
                value={comment}
                onChange={(event) => setComment(event.target.value)}
                onKeyDown={(event) => {
                  if (!decision || isGone || !isSendKey(event)) return;
                  event.preventDefault();
                  void confirm();
                }}
              />
              <FieldError id={`${id}-missing`} message={missingText} />
            </div>
            {isGone ? (
              <Button onClick={closeQuestion}>{texts.close}</Button>
            ) : decision ? (
              <ConfirmDecisionButtons
                label={missing === "reject" ? texts.rejectMute : texts.confirm[decision]({ version: approval.version })}
                destructive={decision === "reject"}
                busy={busy}
                describedBy={`${id}-effect`}
                buttonRef={focusOn}
                onConfirm={() => void confirm()}
                onCancel={closeQuestion}
              />
            ) : (
              <div ref={buttons} className="flex min-w-0 grow flex-wrap gap-2 sm:grow-0 [&>*]:grow">
                <Button
                  data-decision="reject"
                  className="text-destructive! max-sm:px-2"
                  onClick={() => beginDecision("reject")}
                >
                  {texts.reject}
                </Button>
                <Button
                  data-decision="requestChanges"
                  className="max-sm:px-2"
                  onClick={() => beginDecision("requestChanges")}
                >
                  {texts.requestChanges}
                </Button>
                <Button
                  data-decision="approve"
                  variant="primary"
                  className="max-sm:px-2"
                  onClick={() => beginDecision("approve")}
                >
                  <Check aria-hidden />
                  {texts.approve}
                </Button>
              </div>
            )}
          </>
        )}
      </fieldset>
    </BottomBar>
  );
}

interface ConfirmDecisionButtonsProps {
  label: string;
  destructive: boolean;
  busy: boolean;
  describedBy: string;
  buttonRef(button: HTMLButtonElement | null): void;
  onConfirm(): void;
  onCancel(): void;
}

function ConfirmDecisionButtons({
  label,
  destructive,
  busy,
  describedBy,
  buttonRef,
  onConfirm,
  onCancel,
}: ConfirmDecisionButtonsProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape is a second way; Cancel is the first
    <div
      className="flex min-w-0 grow flex-wrap gap-2 sm:grow-0 [&>*]:grow"
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      <Button onClick={onCancel}>{texts.cancel}</Button>
      <Button
        ref={buttonRef}
        variant={destructive ? "destructive" : "primary"}
        aria-describedby={describedBy}
        busy={busy}
        onClick={onConfirm}
      >
        {label}
      </Button>
    </div>
  );
}
