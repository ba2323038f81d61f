import { z } from "zod";
import { Id, Time } from "../contract/parts.ts";

/** The AI's part in a version's text: one call whose answer the author accepted. */
export const AiPart = z.object({ callId: Id, model: z.string(), prompt: z.string(), at: Time }).meta({ id: "AiPart" });
export type AiPart = z.output<typeof AiPart>;

/**
 * Tells whether the prompt of this part writes a whole text, which stays marked as written by AI. Other prompts only
 * reword a person's text.
 */
export function writesWholeText({ prompt }: Pick<AiPart, "prompt">): boolean {
  return prompt.startsWith("generate-sop@");
}
