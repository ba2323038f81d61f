/** Sends one of the three answers to a request and shows its success message. */
import { useQueryClient } from "@tanstack/react-query";
import { ApiError } from "#core/api/client.ts";
import { refreshQueries, useWrite } from "../api.ts";
import { useToast } from "../ui/Toast.tsx";
import { texts } from "./texts.ts";

export type DecisionName = "approve" | "reject" | "requestChanges";

/** Messages after a decision. They are functions, because the user's language is known only when a text is shown. */
export const decisionTexts: Record<DecisionName, () => { title: string; description: string; failed: string }> = {
  approve: () => ({ title: texts.approved, description: texts.approvedText, failed: texts.approveFailed }),
  reject: () => ({ title: texts.rejected, description: texts.rejectedText, failed: texts.rejectFailed }),
  requestChanges: () => ({
    title: texts.changesRequested,
    description: texts.changesRequestedText,
    failed: texts.changesFailed,
  }),
};

/** A failed decision, shown beside its confirmation and not as a toast (`docs/spec/screens.md`). */
export interface DecisionFailure {
  title: string;
  reason: string;
}

export function decisionFailureOf(error: unknown, title: string): DecisionFailure {
  return { title, reason: (error instanceof ApiError && error.serverMessage) || texts.noAnswer };
}

export function useDecisionSender() {
  const toast = useToast();
  const queryClient = useQueryClient();
  const approve = useWrite("approvals", "approve");
  const reject = useWrite("approvals", "reject");
  const requestChanges = useWrite("approvals", "requestChanges");
  return {
    busy: [approve, reject, requestChanges].some(({ isPending }) => isPending),
    showDone(kind: DecisionName): void {
      const { title, description } = decisionTexts[kind]();
      toast({ title, description });
    },
    /** Sends a decision. @returns the failure to show; null after success */
    async decide(kind: DecisionName, id: string, comment: string, version: number): Promise<DecisionFailure | null> {
      try {
        const trimmed = comment.trim();
        const about = { params: { id }, ifMatch: version };
        if (kind === "requestChanges") await requestChanges.mutateAsync({ ...about, body: { comment: trimmed } });
        else {
          const verb = kind === "approve" ? approve : reject;
          await verb.mutateAsync({ ...about, body: trimmed ? { comment: trimmed } : {} });
        }
        return null;
      } catch (error) {
        // The server refused, so the request shown may be out of date.
        if (error instanceof ApiError) void refreshQueries(queryClient, ["approvals", "sops"]);
        return decisionFailureOf(error, decisionTexts[kind]().failed);
      }
    },
  };
}
