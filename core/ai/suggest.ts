/** Asks a model which SOPs a team misses. The model gets titles and categories, never a text. */
import { z } from "zod";
import type { AiProvider, AiQuestion, AiReply } from "./provider.ts";
import { suggestSopsPrompt } from "./prompts.ts";

const id = z.string().max(20);
export const SopProposals = z.object({
  order: z.array(id).max(100),
  additions: z
    .array(
      z.object({
        title: z.string().trim().min(1).max(200),
        description: z.string().trim().max(500),
        reasoning: z.string().trim().max(500),
        because: z.array(id).max(10),
      }),
    )
    .max(10),
});
export type SopProposals = z.output<typeof SopProposals>;
export type SopProposal = SopProposals["additions"][number];

export interface SuggestRequest {
  /** The user's description of the team, at most `limits.promptCharacters`. */
  teamContext: string;
  /** The company's SOPs. Their ids are only valid for this call. */
  sops: readonly { id: string; title: string; category: string | null }[];
  gaps: readonly { id: string; title: string }[];
}

/**
 * The maximum number of suggestions from one answer. Suggestions of SOPs that the company already has are left out
 * before counting.
 */
export const additionsAtMost = 5;

export function questionForSuggestions({ teamContext, sops, gaps }: SuggestRequest): AiQuestion<SopProposals> {
  return {
    name: "sop_proposals",
    system: suggestSopsPrompt.text,
    data: { team: teamContext, sops, gaps },
    answer: SopProposals,
  };
}

/** @throws AppError of the kinds `ai_…` */
export async function proposeSops(provider: AiProvider, request: SuggestRequest): Promise<SopProposals> {
  const { value }: AiReply<SopProposals> = await provider.ask(questionForSuggestions(request));
  const gaps = new Set(request.gaps.map((gap) => gap.id));
  return {
    order: [...new Set(value.order)].filter((one) => gaps.has(one)),
    additions: value.additions.map((addition) => ({
      ...addition,
      title: lineWithoutAddresses(addition.title),
      description: lineWithoutAddresses(addition.description),
      reasoning: lineWithoutAddresses(addition.reasoning),
    })),
  };
}

/** Returns one line without control characters and web addresses, so that no suggestion shows a link. */
function lineWithoutAddresses(text: string): string {
  return text
    .toWellFormed()
    .replace(/\b(?:https?|ftps?|mailto|javascript|data):\S*/gi, "")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
}
