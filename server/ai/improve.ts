/** Proposes changes for an unsaved text. Stores only the usage of the AI call. */
import type { z } from "zod";
import {
  enhanceText,
  improveText,
  builtInPromptOf,
  type EnhanceKind,
  type ImprovedText as Improved,
} from "#core/ai/improve.ts";
import type { AiMade, ImprovedText } from "#core/ai/schema.ts";
import { estimateTokens } from "#core/ai/tokens.ts";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import type { Call, Identity } from "../http/call.ts";
import { abortOnDisconnect } from "../http/disconnect.ts";
import type { Services } from "../http/services.ts";
import { assertAiReady, assertAuthor } from "./access.ts";
import { runAi } from "./run.ts";
import { refusals } from "./refusals.ts";

/** The maximum size of a text's blocks with their findings. Many small blocks are larger than their text. */
const sentAtMost = 3 * limits.aiCharacters;

interface TextToImprove {
  title: string;
  content?: string | undefined;
  markdown?: string | undefined;
}

type ImproveCall = { identity: Identity } & Pick<Call, "origin" | "ctx">;
type ImprovedAnswer = z.input<typeof ImprovedText>;

export async function improveOnRequest(
  services: Services,
  call: ImproveCall,
  text: TextToImprove,
  kind: EnhanceKind | "improve",
): Promise<ImprovedAnswer> {
  await assertAuthor(services, call.identity.actor);
  await assertAiReady(services, call.identity.user);
  const markdown = await canonicalMarkdown(services, text);
  if (markdown.length > limits.aiCharacters) {
    const message = refusals.longText({ characters: markdown.length, most: limits.aiCharacters });
    throw new AppError("ai_input_too_large", message);
  }
  const prompt = builtInPromptOf(kind);
  const request = { title: text.title, markdown };
  const { edits } = services.render;
  const read = await edits.read(markdown);
  const sent = JSON.stringify([read.blocks, read.findings.map(({ rule, message, line }) => ({ rule, message, line }))]);
  if (sent.length > sentAtMost) throw new AppError("ai_input_too_large", refusals.tooManyParts());
  const work = { ...edits, read: async () => read };
  const ask = {
    kind: kind === "improve" ? kind : "enhance",
    prompt: prompt.name,
    // the model reads the instruction, the text and its findings; its answer can be as long as the text
    estimate: estimateTokens(prompt.text + sent) + estimateTokens(markdown) + 1_000,
    signal: abortOnDisconnect(call.ctx),
  } as const;
  const { value, made } = await runAi(services, call.identity, call.origin, ask, (provider) =>
    kind === "improve" ? improveText(provider, request, work) : enhanceText(provider, kind, request, work),
  );
  return presentImprovement(services, value, markdown, made);
}

/** Improves a text by rules alone, which need no key, budget or switch. */
export async function improveWithRules(services: Services, text: TextToImprove): Promise<ImprovedAnswer> {
  const markdown = await canonicalMarkdown(services, text);
  return presentImprovement(services, await services.render.tidy(markdown), markdown, null);
}

/** Returns the text in the canonical form in which it would be saved. Proposals are compared with this form. */
async function canonicalMarkdown(
  { render, address }: Pick<Services, "render" | "address">,
  { title, content, markdown }: TextToImprove,
): Promise<string> {
  const given = markdown?.trim() ? markdown : (await render.fromHtml(content ?? "")).markdown;
  if (given.trim() === "") {
    throw new AppError("invalid_input", refusals.emptyText(), { content: refusals.emptyText() });
  }
  return (await render.compose({ markdown: given }, { title, origin: address.url })).markdown;
}

async function presentImprovement(
  { render }: Pick<Services, "render">,
  { made: _made, ...value }: Improved,
  base: string,
  ai: AiMade | null,
): Promise<ImprovedAnswer> {
  return { ...value, base, content: await render.render(value.markdown), ai };
}
