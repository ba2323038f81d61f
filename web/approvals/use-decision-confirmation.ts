/** Asks for confirmation before a decision, and says what the decision needs or why it isn't possible anymore. */
import { useEffect, useEffectEvent, useState } from "react";
import { changesNeedCommentText } from "#core/approvals/rules.ts";
import { useMe } from "../session.tsx";
import { countedApprovers, requestOutcomeSentence, isNextApprovalLast, type ListedApproval } from "./approval-words.ts";
import { texts } from "./texts.ts";
import { useDecisionSender, type DecisionName, type DecisionFailure } from "./use-decision.ts";

interface DecisionConfirmationProps {
  approval: ListedApproval;
  /** True if the user may decide and the text is on screen. */
  isOffered: boolean;
  comment: string;
  setComment(comment: string): void;
  /** Called after the decision is stored, here or in another tab. */
  onDone(kind: DecisionName): void;
}

/**
 * Asks for a confirmation of each decision and sends it with the request's version, but only while `isOffered` is true.
 * The typed comment is kept if the request ends.
 */
export function useDecisionConfirmation({
  approval,
  isOffered,
  comment,
  setComment,
  onDone,
}: DecisionConfirmationProps) {
  const me = useMe();
  const { busy, decide, showDone } = useDecisionSender();
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

  // This decision can already be stored, from another tab or because the server's answer got lost.
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
    missingText:
      missing === "reject" ? texts.noReason : missing === "requestChanges" ? changesNeedCommentText : undefined,
  };
}

/**
 * Returns why the user can't decide now: the text isn't on screen, the request has ended, or it no longer waits for the
 * user.
 */
export function impossibleDecisionFailureOf(approval: ListedApproval): DecisionFailure {
  const why = approval.mayDecide ? texts.textGone({ version: approval.version }) : requestOutcomeSentence(approval);
  return { title: why ?? texts.noLongerYours, reason: texts.stillHere };
}

/** Returns the sentence that says what a decision does, with the version's number. */
export function decisionEffectText(kind: DecisionName, approval: ListedApproval): string {
  return kind === "approve" ? nextApprovalEffectText(approval) : texts.becomesDraft({ version: approval.version });
}

/** Returns the sentence that says what one more approval does, with the version's number. */
export function nextApprovalEffectText(approval: ListedApproval): string {
  const { version } = approval;
  return isNextApprovalLast(approval) ? texts.lastApproval({ version }) : texts.oneApproval({ version });
}
