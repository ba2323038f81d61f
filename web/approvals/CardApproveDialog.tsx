import { useReducer, useState } from "react";
import type { SopRow } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { DecisionDialog } from "./DecisionDialog.tsx";
import { nextApprovalEffectText } from "./use-decision-confirmation.ts";
import type { ListedApproval } from "./approval-words.ts";
import { RequestDiff } from "./RequestDiff.tsx";
import { texts } from "./texts.ts";
import { useDecisionSender, type DecisionFailure } from "./use-decision.ts";
import { useSubmittedTextStatus } from "./use-submitted-text-status.ts";

/** The dialog of a card's Approve button. The user approves the version that the card showed when the dialog opened. */
export function CardApproveDialog({ sop: now, onClose }: { sop: SopRow; onClose(): void }) {
  // The card may change to another version while the dialog is open.
  const [sop] = useState(now);
  const waiting = useRead("approvals", "list", { query: { sopId: sop.id, status: "pending" } });
  const { busy, decide, showDone } = useDecisionSender();
  const [comment, setComment] = useState("");
  const [failure, setFailure] = useState<DecisionFailure | null>(null);
  // A new tab's text can mount before the old tab's unmounts, so this counts the texts on screen.
  const [shown, countShownText] = useReducer((count: number, isMore: boolean) => count + (isMore ? 1 : -1), 0);
  const openRequest = waiting.data?.find(({ mayDecide }) => mayDecide);
  const request = openRequest?.version === sop.version ? openRequest : undefined;
  const approveVersion = async (): Promise<void> => {
    if (!request || shown === 0) return;
    const refused = await decide("approve", request.id, comment, sop.version);
    setFailure(refused);
    if (refused) return;
    showDone("approve");
    onClose();
  };
  const other = openRequest && !request && texts.cardVersion({ shown: sop.version, requested: openRequest.version });
  const goneFailure = waiting.data && !request && { title: texts.approveFailed, reason: other || texts.noLongerYours };
  const unread = waiting.isError && { title: texts.approveFailed, reason: texts.statusFailed };
  return (
    <DecisionDialog
      open
      title={texts.approveAsk}
      description={request ? `${sop.title}. ${nextApprovalEffectText(request)}` : sop.title}
      confirm={texts.approve}
      busy={busy || waiting.isPending}
      confirmDisabled={(!request && !waiting.isPending) || (request !== undefined && shown === 0)}
      before={request && <RequestedVersionDiff request={request} onShown={countShownText} />}
      failure={failure || goneFailure || unread || null}
      comment={comment}
      onComment={setComment}
      onConfirm={() => void approveVersion()}
      onClose={onClose}
    />
  );
}

function RequestedVersionDiff({ request, onShown }: { request: ListedApproval; onShown(isShown: boolean): void }) {
  return (
    <section aria-label={texts.readerChanges} className="min-w-0">
      <RequestDiff request={request} text={useSubmittedTextStatus(request)} onShown={onShown} />
    </section>
  );
}
