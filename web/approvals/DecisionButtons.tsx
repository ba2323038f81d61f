import { Check, MessageSquareWarning, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { changesNeedWords } from "#core/approvals/rules.ts";
import { useMe } from "../session.tsx";
import { Button } from "../ui/Button.tsx";
import { useToast } from "../ui/Toast.tsx";
import { countedApprovers, endSentence, isLastApproval, type Approval } from "./approval-words.ts";
import { DecisionDialog } from "./DecisionDialog.tsx";
import { texts } from "./texts.ts";
import { useDecision, type Decision, type Failure } from "./use-decision.ts";

interface DecisionButtonsProps {
  approval: Approval;
  /** Shown in place of the buttons if the text they are about is not beside them. */
  instead?: ReactNode;
  /** Called after the decision is stored. */
  onDecided?: ((kind: Decision) => void) | undefined;
}

/**
 * For an approver of an open request. Each button opens a dialog with a comment. The dialog and its comment stay if
 * someone else ends the request.
 */
export function DecisionButtons({ approval, instead, onDecided }: DecisionButtonsProps) {
  const me = useMe();
  const { busy, decide, showDone } = useDecision();
  const [decision, setDecision] = useState<Decision | null>(null);
  const [comment, setComment] = useState("");
  const [failure, setFailure] = useState<Failure | null>(null);
  // refused once for having no words
  const [isCommentMissing, setCommentMissing] = useState(false);
  const hasComment = comment.trim() !== "";
  const isOffered = approval.mayDecide && !instead;
  const setUnanswered = useUnanswered(approval.sop.title);

  const ask = (kind: Decision | null): void => {
    setUnanswered(kind !== null);
    setFailure(null);
    setCommentMissing(false);
    setDecision(kind);
  };
  const done = (kind: Decision): void => {
    setUnanswered(false);
    showDone(kind);
    onDecided?.(kind);
  };
  const confirm = async (): Promise<void> => {
    if (!decision || !isOffered) return;
    // a rejection without a reason is meant when it is confirmed a second time
    if (!hasComment && (decision === "requestChanges" || (decision === "reject" && !isCommentMissing)))
      return setCommentMissing(true);
    const refused = await decide(decision, approval.id, comment, approval.version);
    if (refused) return setFailure(refused);
    ask(null);
    setComment("");
    done(decision);
  };

  // the answer was stored, in another tab, or here and only its own answer got lost
  const stored = countedApprovers(approval).find(({ userId }) => userId === me.id)?.status;
  const isDone = decision !== null && !busy && stored === (decision === "approve" ? "approved" : "rejected");
  const onDone = useEffectEvent(() => decision && done(decision));
  useEffect(() => {
    if (isDone) onDone();
  }, [isDone]);
  const goneFailure = decision !== null && !busy && !isOffered ? goneFailureOf(approval) : null;

  const question = questionOf(decision ?? "approve", approval);
  return (
    <>
      {isOffered ? <Buttons busy={busy} onAsk={ask} /> : approval.mayDecide && instead}
      <DecisionDialog
        {...question}
        open={decision !== null && !isDone}
        busy={busy}
        confirmDisabled={goneFailure !== null}
        failure={goneFailure ?? failure}
        comment={comment}
        onComment={setComment}
        commentHint={
          decision === "approve" || decision === null ? undefined : `${approval.requestedBy.name} ${texts.readsComment}`
        }
        needsComment={decision === "requestChanges"}
        commentError={isCommentMissing && !hasComment ? commentMissingTexts[decision ?? "approve"] : undefined}
        confirm={decision === "reject" && isCommentMissing && !hasComment ? texts.rejectMute : question.confirm}
        onConfirm={() => void confirm()}
        onClose={() => ask(null)}
      />
    </>
  );
}

function Buttons({ busy, onAsk }: { busy: boolean; onAsk(kind: Decision): void }) {
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

/** Why the request can't be answered anymore. */
function goneFailureOf(approval: Approval): Failure {
  const why = approval.mayDecide ? texts.textGone(approval.version) : endSentence(approval);
  return { title: why ?? texts.noLongerYours, reason: texts.stillHere };
}

/** Shows a toast if the page closes while the dialog is open. @returns call it with whether the dialog is open */
function useUnanswered(title: string): (isOpen: boolean) => void {
  const toast = useToast();
  const isOpen = useRef(false);
  const onGone = useEffectEvent(() => {
    if (isOpen.current) toast({ title: texts.notSent, description: texts.closed(title), variant: "destructive" });
  });
  useEffect(() => () => onGone(), []);
  return (is) => void (isOpen.current = is);
}

const commentMissingTexts: Record<Decision, string | undefined> = {
  approve: undefined,
  reject: texts.noReason,
  requestChanges: changesNeedWords,
};

function questionOf(kind: Decision, approval: Approval) {
  const draftAgain = `Version ${approval.version} becomes a draft, even if other approvers approve.`;
  switch (kind) {
    case "approve":
      return { title: texts.approveAsk, description: approveText(approval), confirm: texts.approve };
    case "reject":
      return { title: texts.rejectAsk, description: draftAgain, confirm: texts.reject, destructive: true };
    case "requestChanges":
      return { title: texts.changesAsk, description: draftAgain, confirm: texts.requestChanges };
  }
}

/** What one more approval does. */
export function approveText(approval: Approval): string {
  const { version } = approval;
  return isLastApproval(approval)
    ? `You approve version ${version} as shown. Yours is the last approval, so it will be published.`
    : `You approve version ${version} as shown. It will be published once enough people approve.`;
}
