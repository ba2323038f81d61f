/**
 * Suggests SOPs with a model: the rules find gaps, the model orders them and adds a few more. All are stored once the
 * model has answered.
 */
import {
  additionsAtMost,
  proposeSops,
  questionForSuggestions,
  type SopProposal,
  type SuggestRequest,
} from "#core/ai/suggest.ts";
import { suggestSopsPrompt as instruction } from "#core/ai/prompts.ts";
import { estimateTokens } from "#core/ai/tokens.ts";
import type { MissingSop, ReadableSop } from "#core/assistant/gaps.ts";
import { nameKey } from "#core/assistant/names.ts";
import { createLikenessRanking, sameSubject } from "#core/assistant/similar.ts";
import { newId } from "#core/ids.ts";
import { assertAiReady } from "../ai/access.ts";
import { runAi } from "../ai/run.ts";
import { transactionFor } from "../database/turns.ts";
import type { SuggestionDocument } from "../database/documents.ts";
import { DuplicateKeyError } from "../database/port.ts";
import type { Call } from "../http/call.ts";
import { abortOnDisconnect } from "../http/disconnect.ts";
import type { Services } from "../http/services.ts";
import {
  findGapsNow,
  storeRuleSuggestions,
  suggestionKeyOfTitle,
  recordSuggestionRun,
  findOwnSuggestions,
  gatherSuggestionSources,
  type SuggestCall,
} from "./suggest.ts";

const answerTokens = 2_000;
/** The maximum number of SOPs that the model sees. In a larger company, it sees only the newest SOPs. */
const sopsAtMost = 300;
/** The minimum length of a title to search for, because shorter titles occur in texts by chance. */
const namedFrom = 6;

type SuggestWithAiCall = SuggestCall & Pick<Call, "ctx">;

/**
 * Suggests SOPs with a model.
 * @throws AppError of the kinds `ai_…`
 */
export async function suggestWithAi(
  services: Services,
  call: SuggestWithAiCall,
  teamContext: string,
): Promise<SuggestionDocument[]> {
  const { identity, origin, ctx } = call;
  await assertAiReady(services, identity.user);
  const signal = abortOnDisconnect(ctx);
  const sources = await gatherSuggestionSources(services, call);
  const gaps = await findGapsNow(services, call, sources);
  const shown = sources.sops.slice(0, sopsAtMost);
  const request = await loadSuggestRequest(services, identity.actor.companyId, teamContext, shown, gaps);
  const { system, data } = questionForSuggestions(request);
  const ask = {
    kind: "suggest",
    prompt: instruction.name,
    estimate: estimateTokens(system + JSON.stringify(data)) + answerTokens,
    signal,
  } as const;
  const { value } = await runAi(services, identity, origin, ask, (provider) => proposeSops(provider, request));
  // nothing is stored before the model has answered, so that a failed call leaves no trace
  const found = await storeRuleSuggestions(services, call, sources);
  const storeSuggested = () => storeAdditions(services, call, value.additions, shown, sources.sops);
  const additions = await storeSuggested().catch((error: unknown) => {
    // another request has just stored the same title
    if (error instanceof DuplicateKeyError) return storeSuggested();
    throw error;
  });
  const place = new Map(value.order.map((id, at) => [gaps[Number(id.slice(1)) - 1]?.key, at]));
  const ranked = found
    .map((one, at) => ({ one, at: place.get(one.key) ?? found.length + at }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
  return [...ranked, ...additions];
}

async function loadSuggestRequest(
  { companies }: Services,
  companyId: string,
  teamContext: string,
  shown: readonly ReadableSop[],
  gaps: readonly MissingSop[],
): Promise<SuggestRequest> {
  const categories = new Map((await companies.categories(companyId)).map(({ _id, name }) => [_id, name]));
  const sops = shown.map(({ title, categoryId }, at) => {
    return { id: `s${at + 1}`, title, category: categories.get(categoryId ?? "") ?? null };
  });
  return { teamContext, sops, gaps: gaps.map(({ title }, at) => ({ id: `g${at + 1}`, title })) };
}

function storeAdditions(
  services: Services,
  call: SuggestWithAiCall,
  proposals: readonly SopProposal[],
  shown: readonly ReadableSop[],
  sops: readonly ReadableSop[],
): Promise<SuggestionDocument[]> {
  const { db, clock } = services;
  const { actor } = call.identity;
  return transactionFor(db, actor.companyId, async (tx) => {
    const own = await findOwnSuggestions({ db: tx }, actor);
    const at = clock.now();
    const kept: SuggestionDocument[] = [];
    for (const proposal of proposals) {
      if (kept.length === additionsAtMost) break;
      const taken = [...sops, ...own, ...kept];
      const near = createLikenessRanking(taken, sops)({ title: proposal.title, description: proposal.description });
      const isThere = taken.some(({ title }) => nameKey(title) === nameKey(proposal.title));
      if (isThere || nameKey(proposal.title) === "" || (near[0]?.score ?? 0) >= sameSubject) continue;
      kept.push(suggestionFromProposal(proposal, call, shown, sops, at));
    }
    if (kept.length > 0) await tx.forCompany(actor.companyId).collection("ai_suggestions").insertMany(kept);
    await recordSuggestionRun(tx, call, at, { source: "ai", new: kept.length });
    return kept;
  });
}

function suggestionFromProposal(
  { title, description, reasoning, because }: SopProposal,
  { identity: { actor } }: SuggestWithAiCall,
  shown: readonly ReadableSop[],
  sops: readonly ReadableSop[],
  createdAt: string,
): SuggestionDocument {
  const reasons = shown.filter((_, at) => because.includes(`s${at + 1}`));
  const words = ` ${nameKey(`${title} ${description} ${reasoning}`)} `;
  const isNamed = (sop: ReadableSop) => sop.title.length >= namedFrom && words.includes(` ${nameKey(sop.title)} `);
  const near = createLikenessRanking(sops)({ title, description }).filter(({ score }) => score >= 0.15);
  return {
    _id: newId(),
    companyId: actor.companyId,
    userId: actor.userId,
    key: suggestionKeyOfTitle(title),
    title,
    description,
    content: null,
    categoryId: reasons[0]?.categoryId ?? null,
    reasoning,
    evidence: reasons.map(({ id, version }) => ({ rule: "ai", sopId: id, version, detail: "" })),
    similarTo: near.slice(0, 3).map(({ head: { id, version }, score }) => ({ sopId: id, version, score })),
    named: [...new Set([...reasons, ...shown.filter(isNamed)])].map(({ id, version }) => ({ sopId: id, version })),
    source: "ai",
    template: null,
    status: "pending",
    sopId: null,
    createdAt,
  };
}
