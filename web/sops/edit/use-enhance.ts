/**
 * Handles one proposal for the editor's text at a time: requests the proposal, opens its review, and puts accepted
 * changes in the text.
 */
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { ImprovedTextAnswer } from "#core/ai/schema.ts";
import { useClient, type AppClient } from "../../api.ts";
import { aiFailureOf, type AiFailure } from "../../ai/ai-failure.ts";
import { useToast } from "../../ui/Toast.tsx";
import { texts, type EnhanceKind } from "./enhance-texts.ts";
import type { SopEditing } from "./use-sop-editing.ts";

export const isAiKind = (kind: EnhanceKind): boolean => kind !== "formatting" && kind !== "rules";

export interface ImprovedTextProposal {
  kind: EnhanceKind;
  answer: ImprovedTextAnswer;
  /** The text when the review opened. The user may have edited it while waiting. */
  mine: string;
}

interface RunningImprovement {
  kind: EnhanceKind;
  controller: AbortController;
  /** True if the proposal has arrived but waits for images that are still uploading. */
  isAnswered: boolean;
}

export function useEnhance({ current, editor, send, imagesArrived }: SopEditing) {
  const client = useClient();
  const toast = useToast();
  const [running, setRunning] = useState<RunningImprovement | null>(null);
  const [failure, setFailure] = useState<(AiFailure & { kind: EnhanceKind }) | null>(null);
  const [proposal, setProposal] = useState<ImprovedTextProposal | null>(null);
  const controller = running?.controller;
  useEffect(() => () => controller?.abort(), [controller]);

  const startEnhance = async (kind: EnhanceKind): Promise<void> => {
    if (running || proposal) return;
    const { title, markdown } = current();
    if (markdown.trim() === "") {
      toast({ title: texts.noContent, description: texts.noContentText, variant: "destructive" });
      return;
    }
    const controller = new AbortController();
    setRunning({ kind, controller, isAnswered: false });
    setFailure(null);
    try {
      const answer = await requestImprovement(client, kind, { title, markdown }, controller.signal);
      // An image that is inserted later would be missing in the compared text.
      setRunning((one) => (one?.controller === controller ? { ...one, isAnswered: true } : one));
      await imagesArrived();
      if (!controller.signal.aborted) setProposal({ kind, answer, mine: current().markdown });
    } catch (error) {
      if (controller.signal.aborted) return;
      const text = isAiKind(kind) ? texts.failedByAi : texts.failedByRules;
      setFailure({ ...aiFailureOf(error, text), kind });
      toast({ title: texts.failed, description: text, variant: "destructive" });
    } finally {
      setRunning((one) => (one?.controller === controller ? null : one));
    }
  };

  return {
    running: running?.kind ?? null,
    isWaiting: running?.isAnswered ?? false,
    failure,
    proposal,
    start: startEnhance,
    cancel: () => {
      running?.controller.abort();
      setRunning(null);
    },
    dismiss: () => setFailure(null),
    discard: () => setProposal(null),
    apply: (markdown: string) => {
      if (!proposal) return;
      const { answer, kind } = proposal;
      // The changed text takes the focus, so the dialog has to close and move the focus first.
      flushSync(() => setProposal(null));
      setTimeout(() => editor.current?.replace(markdown));
      if (answer.ai) send({ type: "assisted", callId: answer.ai.callId });
      toast({ title: texts.done, description: isAiKind(kind) ? texts.doneByAi : texts.doneByRules });
    },
  };
}

export type ImproveControls = ReturnType<typeof useEnhance>;

function requestImprovement(
  client: AppClient,
  kind: EnhanceKind,
  text: { title: string; markdown: string },
  signal: AbortSignal,
): Promise<ImprovedTextAnswer> {
  if (kind === "improve") return client.ai.improveSop({ body: text, signal });
  if (kind === "rules") return client.assistant.improve({ body: text, signal });
  return client.ai.enhanceContent({ body: { ...text, enhancementType: kind }, signal });
}
