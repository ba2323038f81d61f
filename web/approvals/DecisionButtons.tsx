import { Check, MessageSquareWarning, X } from "lucide-react";
import { useState } from "react";
import { changesNeedWords } from "#core/approvals/rules.ts";
import { Button } from "../ui/Button.tsx";
import { isLastApproval, type Approval } from "./approval-words.ts";
import { Asking } from "./Asking.tsx";
import { texts } from "./texts.ts";
import { useDecision, type Decision, type Failure } from "./use-decision.ts";

interface DecisionButtonsProps {
  approval: Approval;
  /** Told after it was done. */
  onDecided?: ((kind: Decision) => void) | undefined;
}

/** For an approver the request waits for; each asks before it is done, and takes a comment along (seed §4, §6). */
export function DecisionButtons({ approval, onDecided }: DecisionButtonsProps) {
  const { busy, decide } = useDecision();
  const [asked, setAsked] = useState<Decision | null>(null);
  const [comment, setComment] = useState("");
  const [failure, setFailure] = useState<Failure | null>(null);
  // refused once for having no words
  const [isMute, setMute] = useState(false);
  const says = comment.trim() !== "";

  const ask = (kind: Decision): void => {
    setFailure(null);
    setMute(false);
    setAsked(kind);
  };
  const confirm = async (): Promise<void> => {
    if (!asked) return;
    // a rejection without a reason is meant when it is confirmed a second time
    if (!says && (asked === "requestChanges" || (asked === "reject" && !isMute))) return setMute(true);
    const refused = await decide(asked, approval.id, comment, approval.version);
    setFailure(refused);
    if (refused) return;
    setAsked(null);
    setComment("");
    onDecided?.(asked);
  };

  const question = questionOf(asked ?? "approve", approval);
  return (
    <div className="grid gap-2">
      <h3 className="text-xs font-semibold text-muted">{texts.decideTitle}</h3>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={busy} onClick={() => ask("approve")}>
          <Check aria-hidden />
          {texts.approve}
        </Button>
        <Button disabled={busy} onClick={() => ask("reject")}>
          <X aria-hidden />
          {texts.reject}
        </Button>
        <Button disabled={busy} onClick={() => ask("requestChanges")}>
          <MessageSquareWarning aria-hidden />
          {texts.requestChanges}
        </Button>
      </div>
      <Asking
        {...question}
        open={asked !== null}
        busy={busy}
        failure={failure}
        comment={comment}
        onComment={setComment}
        commentHint={
          asked === "approve" || asked === null ? undefined : `${approval.requestedBy.name} ${texts.readsComment}`
        }
        needsComment={asked === "requestChanges"}
        commentError={isMute && !says ? muteTexts[asked ?? "approve"] : undefined}
        confirm={asked === "reject" && isMute && !says ? texts.rejectMute : question.confirm}
        onConfirm={() => void confirm()}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}

const muteTexts: Record<Decision, string | undefined> = {
  approve: undefined,
  reject: texts.noReason,
  requestChanges: changesNeedWords,
};

function questionOf(kind: Decision, approval: Approval) {
  const draftAgain = `Version ${approval.version} becomes a draft again at once, whatever the other approvers say.`;
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
    ? `You approve version ${version} exactly as it stands. It is the last approval needed: the version will be published.`
    : `You approve version ${version} exactly as it stands. It will be published when enough others have approved it too.`;
}
