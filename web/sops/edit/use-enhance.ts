/** One proposal for the text in the editor at a time: asked for, waited for, decided upon, and put in place as one step. */
import { useEffect, useRef, useState } from "react";
import type { ImprovedTextAnswer } from "#core/ai/schema.ts";
import { useClient, type AppClient } from "../../api.ts";
import { aiFailure, type AiFailure } from "../../ai/ai-failure.ts";
import { useToast } from "../../ui/Toast.tsx";
import { texts, type EnhanceKind } from "./enhance-texts.ts";
import type { SopFormState } from "./use-sop-form.ts";

export const isAi = (kind: EnhanceKind): boolean => kind !== "formatting" && kind !== "rules";

export interface Proposal {
  kind: EnhanceKind;
  answer: ImprovedTextAnswer;
  /** The text as it was when the window came: who waits goes on writing. */
  mine: string;
}

interface Running {
  kind: EnhanceKind;
  controller: AbortController;
}

export function useEnhance(state: Pick<SopFormState, "current" | "editor" | "assistedBy" | "picturesArrived">) {
  const client = useClient();
  const toast = useToast();
  const [running, setRunning] = useState<Running | null>(null);
  const [failure, setFailure] = useState<(AiFailure & { kind: EnhanceKind }) | null>(null);
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const last = useRef<AbortController>(null);
  const accepted = useRef<string>(null);
  useEffect(() => () => last.current?.abort(), []);

  const start = async (kind: EnhanceKind): Promise<void> => {
    if (running || proposal) return;
    const { title, markdown } = state.current();
    if (markdown.trim() === "") {
      toast({ title: texts.noContent, description: texts.noContentText, variant: "destructive" });
      return;
    }
    const controller = new AbortController();
    last.current = controller;
    setRunning({ kind, controller });
    setFailure(null);
    try {
      const answer = await ask(client, kind, { title, markdown }, controller.signal);
      // a picture that comes later would not be part of the text that is compared
      await state.picturesArrived();
      if (!controller.signal.aborted) setProposal({ kind, answer, mine: state.current().markdown });
    } catch (error) {
      if (controller.signal.aborted) return;
      const text = isAi(kind) ? texts.failedByAi : texts.failedByRules;
      setFailure({ ...aiFailure(error, text), kind });
      toast({ title: texts.failed, description: text, variant: "destructive" });
    } finally {
      setRunning((one) => (one?.controller === controller ? null : one));
    }
  };

  // what is put in place takes the focus, which the window that closes gives back a moment later
  useEffect(() => {
    if (proposal !== null || accepted.current === null) return;
    const text = accepted.current;
    accepted.current = null;
    setTimeout(() => state.editor.current?.replace(text));
  });

  return {
    running: running?.kind ?? null,
    failure,
    proposal,
    start,
    cancel: () => {
      running?.controller.abort();
      setRunning(null);
    },
    dismiss: () => setFailure(null),
    discard: () => setProposal(null),
    apply: (markdown: string) => {
      if (!proposal) return;
      const { answer, kind } = proposal;
      accepted.current = markdown;
      setProposal(null);
      if (answer.ai) state.assistedBy(answer.ai.callId);
      toast({ title: texts.done, description: isAi(kind) ? texts.doneByAi : texts.doneByRules });
    },
  };
}

export type Enhancing = ReturnType<typeof useEnhance>;

function ask(
  client: AppClient,
  kind: EnhanceKind,
  text: { title: string; markdown: string },
  signal: AbortSignal,
): Promise<ImprovedTextAnswer> {
  if (kind === "improve") return client.ai.improveSop({ body: text, signal });
  if (kind === "rules") return client.assistant.improve({ body: text, signal });
  return client.ai.enhanceContent({ body: { ...text, enhancementType: kind }, signal });
}
