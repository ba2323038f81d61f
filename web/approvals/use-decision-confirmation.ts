/** The confirmation before a decision: what it does, what it needs, and why it can't be made anymore. */
import { useEffect, useEffectEvent, useState } from "react";
import { changesNeedWords } from "#core/approvals/rules.ts";
import { useMe } from "../session.tsx";
import { countedApprovers, requestOutcomeSentence, isLastApproval, type ListedApproval } from "./approval-words.ts";
import { texts } from "./texts.ts";
import { useDecision, type DecisionName, type DecisionFailure } from "./use-decision.ts";

interface DecisionConfirmationProps {
  approval: ListedApproval;
  /** True if the user may decide and the text is on screen. */
  isOffered: boolean;
  comment: string;
  setComment(comment: string): void;
  /** Called after the decision is stored, here or in another tab. */
  onDone(kind: DecisionName): void;
}

/** Sends a decision only while it is offered, with the request's version. The typed comment outlives the request. */
export function useDecisionConfirmation({
  approval,
  isOffered,
  comment,
  setComment,
  onDone,
}: DecisionConfirmationProps) {
  const me = useMe();
  const { busy, decide, showDone } = useDecision();
  const [decision, setDecision] = useState<DecisionName | null>(null);
  const [refused, setRefused] = useState<DecisionFailure | null>(null);
  /** The decision that was stopped because it has no comment. */
  const [wordless, setWordless] = useState<DecisionName | null>(null);
  const hasComment = comment.trim() !== "";
  const missing = hasComment ? null : wordless;

  const askQuestion = (kind: DecisionName | null): void => {
    setRefused(null);
    setWordless(null);
    setDecision(kind);
  };
  const finishDecision = (kind: DecisionName): void => {
    showDone(kind);
    onDone(kind);
  };
  const confirmDecision = async (): Promise<void> => {
    if (!decision || !isOffered) return;
    // A rejection without a comment is sent when the user confirms a second time.
    if (!hasComment && (decision === "requestChanges" || (decision === "reject" && !missing)))
      return setWordless(decision);
    const failure = await decide(decision, approval.id, comment, approval.version);
    if (failure) return setRefused(failure);
    askQuestion(null);
    setComment("");
    finishDecision(decision);
  };

  // The decision is already stored, either from another tab or because the server's answer got lost.
  const stored = countedApprovers(approval).find(({ userId }) => userId === me.id)?.status;
  const isDone = decision !== null && !busy && stored === (decision === "approve" ? "approved" : "rejected");
  const onStored = useEffectEvent(() => decision && finishDecision(decision));
  useEffect(() => {
    if (isDone) onStored();
  }, [isDone]);

  return {
    decision: isDone ? null : decision,
    ask: askQuestion,
    confirm: confirmDecision,
    busy,
    refused,
    missing,
    setWordless,
    missingText: missing === "reject" ? texts.noReason : missing === "requestChanges" ? changesNeedWords : undefined,
  };
}

/** Why the request can't be decided anymore. */
export function closedRequestFailureOf(approval: ListedApproval): DecisionFailure {
  const why = approval.mayDecide ? texts.textGone({ version: approval.version }) : requestOutcomeSentence(approval);
  return { title: why ?? texts.noLongerYours, reason: texts.stillHere };
}

/** The effect of a decision, with the version's number. */
export function decisionEffectText(kind: DecisionName, approval: ListedApproval): string {
  return kind === "approve" ? oneMoreApprovalText(approval) : texts.becomesDraft({ version: approval.version });
}

/** The effect of one more approval. */
export function oneMoreApprovalText(approval: ListedApproval): string {
  const { version } = approval;
  return isLastApproval(approval) ? texts.lastApproval({ version }) : texts.oneApproval({ version });
}
