import { clsx } from "clsx";
import { UserRoundPen } from "lucide-react";
import { useState, type ReactNode } from "react";
import { printedName } from "#core/users/printed-name.ts";
import { Alert } from "../ui/Alert.tsx";
import { Badge, type BadgeTone } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import {
  approvalProgressText,
  approvalRuleText,
  unavailableApproversOf,
  type ListedApproval,
} from "./approval-words.ts";
import { DecisionButtons } from "./DecisionButtons.tsx";
import { ReplaceApproverDialog } from "./ReplaceApproverDialog.tsx";
import { outcomeTexts, texts } from "./texts.ts";
import { RequestTimeline } from "./RequestTimeline.tsx";
import type { DecisionName } from "./use-decision.ts";
import { WithdrawButton } from "./WithdrawButton.tsx";
import { listText } from "#core/language/formats.ts";

interface RequestViewProps {
  approval: ListedApproval;
  /** Replaces the decision buttons if the request's text isn't on screen. */
  instead?: ReactNode;
  onDecided?: ((kind: DecisionName) => void) | undefined;
}

/** One request: its state, the user's actions and its history. */
export function RequestView({ approval, instead, onDecided }: RequestViewProps) {
  const [replacing, setReplacing] = useState<ListedApproval["approvers"][number] | null>(null);
  const isPending = approval.status === "pending";
  return (
    <div className="@container">
      <div className={clsx("grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4", isPending && "@xl:grid-cols-2")}>
        <div className="grid content-start gap-4">
          <output className="grid gap-1">
            <span className="flex flex-wrap items-center gap-2">
              {/* the page's heading has the status, and the line above says who approved it */}
              {!isPending && approval.outcome !== "approved" && <OutcomeBadge approval={approval} />}
              <span className="text-muted">{texts.version({ version: approval.version })}</span>
            </span>
            {isPending && (
              <span>
                <strong className="font-medium">{approvalRuleText(approval)}</strong>
                {` · ${approvalProgressText(approval)}`}
              </span>
            )}
          </output>
          {unavailableApproversOf(approval).length > 0 && <UnavailableApproversNote approval={approval} />}
          <DecisionButtons approval={approval} instead={instead} onDecided={onDecided} />
          {approval.mayWithdraw && (
            // A line separates Withdraw from the decision, because it ends the whole request.
            <div className={clsx(approval.mayDecide && "mt-2 border-t border-line pt-4")}>
              <WithdrawButton approval={approval} />
            </div>
          )}
        </div>
        <RequestTimeline
          approval={approval}
          actions={
            isPending && approval.mayReplace
              ? (approver) => (
                  <Button
                    size="sm"
                    variant="ghost"
                    // The negative margin aligns the button's text with the text above.
                    className="-my-0.5 -ml-2.25"
                    aria-label={`${texts.replace} ${printedName(approver.user)}`}
                    onClick={() => setReplacing(approver)}
                  >
                    <UserRoundPen aria-hidden />
                    {texts.replace}
                  </Button>
                )
              : undefined
          }
        />
        {replacing && (
          <ReplaceApproverDialog approval={approval} approver={replacing} onClose={() => setReplacing(null)} />
        )}
      </div>
    </div>
  );
}

/** Approvers who can't sign in can't decide. Unless they are replaced, the request may wait forever. */
function UnavailableApproversNote({ approval }: { approval: ListedApproval }) {
  const names = listText(unavailableApproversOf(approval).map(({ user }) => printedName(user)));
  return (
    <Alert tone="warning" title={texts.unavailable({ names })}>
      {approval.mayReplace
        ? texts.unavailableReplace
        : texts.unavailableTell({ requester: printedName(approval.requestedBy) })}
    </Alert>
  );
}

const outcomeTones: Record<NonNullable<ListedApproval["outcome"]>, BadgeTone> = {
  approved: "success",
  rejected: "destructive",
  changes_requested: "warning",
  withdrawn: "neutral",
  voided: "neutral",
};

function OutcomeBadge({ approval: { outcome, status } }: { approval: ListedApproval }) {
  const shown = outcome ?? (status === "approved" ? "approved" : "rejected");
  return (
    <Badge tone={outcomeTones[shown]} className="whitespace-normal">
      {outcomeTexts[shown]}
    </Badge>
  );
}
