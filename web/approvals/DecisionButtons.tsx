import { Check, MessageSquareWarning, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { printedName } from "#core/users/printed-name.ts";
import { Button } from "../ui/Button.tsx";
import { useToast } from "../ui/Toast.tsx";
import type { ListedApproval } from "./approval-words.ts";
import { DecisionDialog } from "./DecisionDialog.tsx";
import { texts } from "./texts.ts";
import type { DecisionName } from "./use-decision.ts";
import {
  decisionEffectText,
  impossibleDecisionFailureOf,
  useDecisionConfirmation,
} from "./use-decision-confirmation.ts";

interface DecisionButtonsProps {
  approval: ListedApproval;
  /** Shown in place of the buttons if the text of the request is not on the screen. */
  instead?: ReactNode;
  /** Called after the decision is stored. */
  onDecided?: ((kind: DecisionName) => void) | undefined;
}

/**
 * Buttons on an SOP's page for an approver of a pending request. Each opens a dialog with a comment, which stays open
 * with its comment if someone else ends the request.
 */
export function DecisionButtons({ approval, instead, onDecided }: DecisionButtonsProps) {
  const [comment, setComment] = useState("");
  const isOffered = approval.mayDecide && !instead;
  const setUnanswered = useUnsentDecisionToast(approval.sop.title);
  const { decision, ask, confirm, busy, refused, missing, missingText } = useDecisionConfirmation({
    approval,
    isOffered,
    comment,
    setComment,
    onDone(kind) {
      setUnanswered(false);
      onDecided?.(kind);
    },
  });
  const showQuestion = (kind: DecisionName | null): void => {
    setUnanswered(kind !== null);
    ask(kind);
  };
  const goneFailure = decision !== null && !busy && !isOffered ? impossibleDecisionFailureOf(approval) : null;
  const kind = decision ?? "approve";
  return (
    <>
      {isOffered ? <DecisionButtonRow busy={busy} onAsk={showQuestion} /> : approval.mayDecide && instead}
      <DecisionDialog
        title={questionTitles[kind]}
        description={decisionEffectText(kind, approval)}
        destructive={kind === "reject"}
        open={decision !== null}
        busy={busy}
        confirmDisabled={goneFailure !== null}
        failure={goneFailure ?? refused}
        comment={comment}
        onComment={setComment}
        commentHint={kind === "approve" ? undefined : `${printedName(approval.requestedBy)} ${texts.readsComment}`}
        needsComment={kind === "requestChanges"}
        commentError={missingText}
        confirm={missing === "reject" ? texts.rejectMute : texts[kind]}
        onConfirm={() => void confirm()}
        onClose={() => showQuestion(null)}
      />
    </>
  );
}

const questionTitles: Record<DecisionName, string> = {
  approve: texts.approveAsk,
  reject: texts.rejectAsk,
  requestChanges: texts.changesAsk,
};

function DecisionButtonRow({ busy, onAsk }: { busy: boolean; onAsk(kind: DecisionName): void }) {
  return (
    <div className="grid gap-2">
      <h3 className="text-xs font-semibold text-muted">{texts.decideTitle}</h3>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={busy} onClick={() => onAsk("approve")}>
          <Check aria-hidden />
          {texts.approve}
        </Button>
        <Button disabled={busy} onClick={() => onAsk("reject")}>
          <X aria-hidden />
          {texts.reject}
        </Button>
        <Button disabled={busy} onClick={() => onAsk("requestChanges")}>
          <MessageSquareWarning aria-hidden />
          {texts.requestChanges}
        </Button>
      </div>
    </div>
  );
}

/**
 * Shows a toast if the page closes while the dialog is open.
 * @returns a function to call with whether the dialog is open
 */
function useUnsentDecisionToast(title: string): (isOpen: boolean) => void {
  const toast = useToast();
  const isOpen = useRef(false);
  const onUnmount = useEffectEvent(() => {
    if (isOpen.current) toast({ title: texts.notSent, description: texts.closed({ title }), variant: "destructive" });
  });
  useEffect(() => () => onUnmount(), []);
  return (is) => void (isOpen.current = is);
}
