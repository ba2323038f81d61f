/** Which SOPs a team misses, as a model sees it: titles and categories alone are shown to it, never a text. */
import { z } from "zod";
import type { Provider, Question, Reply } from "./provider.ts";
import { suggestSops } from "./prompts.ts";

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
  /** By an id made for this call. */
  sops: readonly { id: string; title: string; category: string | null }[];
  gaps: readonly { id: string; title: string }[];
}

/** That many are kept of an answer: the first ones that are not there yet. */
export const additionsAtMost = 5;

export function suggestQuestion({ teamContext, sops, gaps }: SuggestRequest): Question<SopProposals> {
  return {
    name: "sop_proposals",
    system: suggestSops.text,
    data: { team: teamContext, sops, gaps },
    answer: SopProposals,
  };
}

/** @throws AppError of the kinds `ai_…` */
export async function proposeSops(provider: Provider, request: SuggestRequest): Promise<SopProposals> {
  const { value }: Reply<SopProposals> = await provider.ask(suggestQuestion(request));
  const gaps = new Set(request.gaps.map((gap) => gap.id));
  return {
    order: [...new Set(value.order)].filter((one) => gaps.has(one)),
    additions: value.additions.map((addition) => ({
      ...addition,
      title: plain(addition.title),
      description: plain(addition.description),
      reasoning: plain(addition.reasoning),
    })),
  };
}

/** One line without marks of control; what looks like an address is no link, and is not shown as one. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/\b(?:https?|ftps?|mailto|javascript|data):\S*/gi, "")
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
}
