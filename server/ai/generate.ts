/** Generates a draft from a prompt, checks it, and stores it like any other SOP. */
import type { z } from "zod";
import { generateDraft, draftQuestionOf, type DraftRequest, type GeneratedDraft } from "#core/ai/generate.ts";
import { generateSopPrompt as instruction } from "#core/ai/prompts.ts";
import type { GeneratedSop } from "#core/ai/schema.ts";
import { estimateTokens } from "#core/ai/tokens.ts";
import { AppError } from "#core/errors.ts";
import type { Handlers } from "../http/call.ts";
import { abortOnDisconnect } from "../http/disconnect.ts";
import type { AnswerProgress } from "../http/progress.ts";
import type { Services } from "../http/services.ts";
import { createSop } from "../sops/edit/create.ts";
import { presentSop } from "../sops/view/present.ts";
import { assertAiReady } from "./access.ts";
import { runAi } from "./run.ts";
import { findSourcesFor, findMostFrequentLanguage } from "./sources.ts";
import { refusals } from "./refusals.ts";

/** The tokens of a draft, with those of the repair that some drafts need. */
const answerTokens = 6_000;

type GenerateCall = Parameters<Handlers<"ai">["generateSop"]>[0];

export async function generateSop(services: Services, call: GenerateCall): Promise<z.input<typeof GeneratedSop>> {
  const { body, identity, progress, ctx } = call;
  const { actor, user } = identity;
  const { companyId } = actor;
  await assertAiReady(services, user);
  await assertRoomForSop(services, companyId);
  const signal = abortOnDisconnect(ctx);
  const request: DraftRequest = {
    prompt: body.prompt,
    language: body.language ?? (await findMostFrequentLanguage(services, companyId)),
    sources: await findSourcesFor(services, actor, body.prompt),
  };
  const { system, data } = draftQuestionOf(request);
  const ask = {
    kind: "generate",
    prompt: instruction.name,
    estimate: estimateTokens(system + JSON.stringify(data)) + answerTokens,
    signal,
    ...(progress ? { listening: { onText: createProgressListener(progress) } } : {}),
  } as const;
  const { value: draft, made } = await runAi(services, identity, call.origin, ask, (provider) => {
    progress?.send("stage", { stage: "drafting", title: null, characters: 0 });
    return generateDraft(provider, request, {
      check: services.render.checkDraft,
      ...(progress ? { onStage: (stage) => progress.send("stage", stage) } : {}),
    });
  });
  // the client has disconnected: don't store a draft that it can't show
  if (signal.aborted) throw new AppError("ai_failed", refusals.endedBeforeStoring());
  const { sop, markdown } = await createSop(services, call, {
    ...draftFields(draft),
    categoryId: await findCategoryId(services, companyId, body.category),
    lang: request.language,
    isAiGenerated: true,
    aiCalls: [made.callId],
  });
  ctx.set("ETag", `"v${sop.version}"`);
  const shown = await presentSop(services, actor, sop, "latest", { markdown });
  return { ...shown, ai: { ...made, assumptions: draft.assumptions, findings: draft.findings } };
}

function draftFields({ frontMatter, body }: GeneratedDraft) {
  const { title = "", description = "", tags } = frontMatter;
  return { title, description, markdown: body, ...(tags ? { tags } : {}) };
}

/** Creates a listener that reports the title as soon as it is known, and the length from time to time. */
function createProgressListener(progress: AnswerProgress): (text: string) => void {
  let title: string | null = null;
  let reportedLength = 0;
  return (text) => {
    const known = title ?? titleInPartialAnswer(text);
    if (known === title && text.length - reportedLength < 400) return;
    title = known;
    reportedLength = text.length;
    progress.send("stage", { stage: "drafting", title, characters: text.length });
  };
}

function titleInPartialAnswer(text: string): string | null {
  const [, literal] = /"title"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text.slice(0, 2000)) ?? [];
  try {
    return literal === undefined ? null : (JSON.parse(literal) as string).slice(0, 200);
  } catch {
    return null;
  }
}

/** Finds the id of the category with this id or name. An unknown name, such as 'General', means no category: null. */
async function findCategoryId(
  { companies }: Pick<Services, "companies">,
  companyId: string,
  named: string | null | undefined,
): Promise<string | null> {
  const wanted = named?.trim().toLowerCase() ?? "";
  const categories = await companies.categories(companyId);
  return categories.find(({ _id, name }) => _id === wanted || name.toLowerCase() === wanted)?._id ?? null;
}

/**
 * Checks before the AI call that the company can store another SOP, so that no tokens are wasted. The write checks that
 * again.
 */
async function assertRoomForSop({ db }: Pick<Services, "db">, companyId: string): Promise<void> {
  const company = await db.collection("companies").findOne({ _id: companyId });
  const [taken, most] = [company?.sopCount ?? 0, company?.maxSOPs ?? 0];
  if (taken < most) return;
  const message = refusals.companyLimit({ most });
  throw new AppError("limit_reached", message, { free: 0, needed: 1 });
}
