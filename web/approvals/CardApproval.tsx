import { useState } from "react";
import type { SopRow } from "#core/sops/schema.ts";
import { useRead } from "../api.ts";
import { Asking } from "./Asking.tsx";
import { approveText } from "./DecisionButtons.tsx";
import { texts } from "./texts.ts";
import { useDecision, type Failure } from "./use-decision.ts";

/** The question of the card's Approve button: about the version that the card shows. */
export function CardApproval({ sop, onClose }: { sop: SopRow; onClose(): void }) {
  const waiting = useRead("approvals", "list", { query: { sopId: sop.id, status: "pending" } });
  const { busy, decide } = useDecision();
  const [comment, setComment] = useState("");
  const [failure, setFailure] = useState<Failure | null>(null);
  const request = waiting.data?.find(({ mayDecide }) => mayDecide);
  const confirm = async (): Promise<void> => {
    if (!request) return;
    const refused = await decide("approve", request.id, comment, sop.version);
    setFailure(refused);
    if (!refused) onClose();
  };
  const gone = waiting.data && !request && { title: texts.approveFailed, reason: texts.noLongerYours };
  const unread = waiting.isError && { title: texts.approveFailed, reason: texts.statusFailed };
  return (
    <Asking
      open
      title={texts.approveAsk}
      description={request ? `${sop.title}. ${approveText(request)}` : sop.title}
      confirm={texts.approve}
      busy={busy || waiting.isPending}
      failure={failure || gone || unread || null}
      comment={comment}
      onComment={setComment}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
