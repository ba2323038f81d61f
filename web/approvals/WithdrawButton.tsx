import { Undo2 } from "lucide-react";
import { useState } from "react";
import { useWrite } from "../api.ts";
import { Button } from "../ui/Button.tsx";
import { useToast } from "../ui/Toast.tsx";
import type { ListedApproval } from "./approval-words.ts";
import { DecisionDialog } from "./DecisionDialog.tsx";
import { texts } from "./texts.ts";
import { decisionFailureOf, type DecisionFailure } from "./use-decision.ts";

/** Withdraws a request. Shown to the user who submitted the SOP, and to users who can publish it. */
export function WithdrawButton({ approval }: { approval: ListedApproval }) {
  const toast = useToast();
  const withdraw = useWrite("approvals", "withdraw");
  const [open, setOpen] = useState(false);
  const [comment, setComment] = useState("");
  const [failure, setFailure] = useState<DecisionFailure | null>(null);
  const withdrawRequest = async (): Promise<void> => {
    const trimmed = comment.trim();
    try {
      await withdraw.mutateAsync({ params: { id: approval.id }, body: trimmed ? { comment: trimmed } : {} });
      toast({ title: texts.withdrawn, description: texts.withdrawnText });
      setOpen(false);
    } catch (error) {
      setFailure(decisionFailureOf(error, texts.withdrawFailed));
    }
  };
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        className="-ml-2.5"
        onClick={() => {
          setFailure(null);
          setOpen(true);
        }}
      >
        <Undo2 aria-hidden />
        {texts.withdraw}
      </Button>
      <DecisionDialog
        open={open}
        title={texts.withdrawAsk}
        description={texts.withdrawText}
        confirm={texts.withdraw}
        busy={withdraw.isPending}
        failure={failure}
        comment={comment}
        onComment={setComment}
        onConfirm={() => void withdrawRequest()}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
