/**
 * Requests a draft. The request continues while the panel is closed, and the prompt is kept until the request succeeds.
 */
import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useQueryClient } from "@tanstack/react-query";
import { useWrite, type Output } from "../api.ts";
import { useToast } from "../ui/Toast.tsx";
import { createStageReader, type GenerationStage } from "./read-stages.ts";
import { aiFailureOf, type AiFailure } from "./ai-failure.ts";
import { texts } from "./texts.ts";

export type CreatedDraft = Pick<Output<"ai", "generateSop">, "id" | "title" | "ai">;

export interface DraftGeneration {
  prompt: string;
  setPrompt(text: string): void;
  isRunning: boolean;
  /** The request's current stage; null before the first report and without a request. */
  stage: GenerationStage | null;
  wasCancelled: boolean;
  failure: AiFailure | null;
  made: CreatedDraft | null;
  start(): Promise<void>;
  cancel(): void;
  /** Removes the last draft, failure or cancellation from the panel. */
  clear(): void;
}

type DraftGenerationOutcome = { made?: CreatedDraft; failure?: AiFailure; wasCancelled?: true };

export function useDraftGeneration(): DraftGeneration {
  const { mutateAsync } = useWrite("ai", "generateSop");
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [prompt, setPrompt] = useState("");
  const [outcome, setOutcome] = useState<DraftGenerationOutcome>({});
  const [stage, setStage] = useState<GenerationStage | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  // Signing out unmounts this component, which cancels the request.
  useEffect(() => () => running?.abort(), [running]);

  const startGeneration = async (): Promise<void> => {
    const request = prompt.trim();
    if (request === "" || running) return;
    const controller = new AbortController();
    setRunning(controller);
    setOutcome({});
    try {
      // "General" means no category (`docs/spec/screens.md`).
      const body = { prompt: request, category: "General" };
      const made = await mutateAsync({ body, signal: controller.signal, read: createStageReader(setStage) });
      setOutcome({ made });
      setPrompt("");
      const action = { label: texts.openDraft, onClick: () => void navigate(`/sop/${made.id}/edit`) };
      toast({ title: texts.generated, description: texts.created({ title: made.title }), action });
    } catch (error) {
      if (controller.signal.aborted) return setOutcome({ wasCancelled: true });
      const failure = aiFailureOf(error, texts.failedText);
      setOutcome({ failure });
      toast({ title: texts.failed, description: failure.text, variant: "destructive" });
    } finally {
      setRunning(null);
      setStage(null);
      void queryClient.invalidateQueries({ queryKey: ["ai"] });
    }
  };
  return {
    prompt,
    setPrompt,
    isRunning: running !== null,
    stage,
    wasCancelled: outcome.wasCancelled ?? false,
    failure: outcome.failure ?? null,
    made: outcome.made ?? null,
    start: startGeneration,
    cancel: () => running?.abort(),
    clear: () => setOutcome({}),
  };
}
