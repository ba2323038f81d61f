/**
 * Presents suggestions as their user can see them now. Leaves out, and doesn't count, suggestions based on SOPs that
 * the user can't read.
 */
import type { z } from "zod";
import type { Actor } from "#core/permissions/actor.ts";
import { mayReadVersion, canSeeUnrestrictedLatestVersions, visibleVersion } from "#core/permissions/can.ts";
import { evidenceSentence, reasonSentence, type GapRule } from "#core/assistant/gap-titles.ts";
import type { Suggestion, SuggestionEvidence } from "#core/suggestions/schema.ts";
import { sentences } from "#core/language/catalog.ts";
import type { Filter } from "../database/port.ts";
import type { ReadVersion, SopDocument, StoredEvidence, SuggestionDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";

const texts = sentences("server.suggestions", { fromAi: "The AI names it as the reason" });

type SuggestionServices = Pick<Services, "db" | "companies">;
type EvidenceFields = Pick<SuggestionDocument, "evidence" | "named" | "source">;

const atOnce = 200;

interface SeenSop {
  sop: SopDocument;
  title: string;
}

/** Finds those of these SOPs that are neither archived nor deleted, and that the actor can see, by id. */
async function findVisibleSopsInUse(
  { db }: Pick<Services, "db">,
  actor: Actor,
  ids: Iterable<string>,
): Promise<Map<string, SeenSop>> {
  const wanted = [...new Set(ids)];
  const sops = db.forCompany(actor.companyId).collection("sops");
  const seen = new Map<string, SeenSop>();
  for (let at = 0; at < wanted.length; at += atOnce) {
    const some: Filter<SopDocument> = { _id: { $in: wanted.slice(at, at + atOnce) } };
    for (const sop of await sops.find(some)) {
      const view = visibleVersion(actor, sop);
      if (view === "nothing" || !sop.live) continue;
      seen.set(sop._id, { sop, title: view === "published" && sop.published ? sop.published.title : sop.title });
    }
  }
  return seen;
}

function canReadEvidence(actor: Actor, seen: ReadonlyMap<string, SeenSop>, { sopId, version }: ReadVersion): boolean {
  const found = seen.get(sopId);
  return found !== undefined && mayReadVersion(actor, found.sop, version);
}

function sopIdsOfSuggestion({ evidence, named }: EvidenceFields): string[] {
  return [...evidence, ...named].flatMap(({ sopId }) => (sopId === null ? [] : [sopId]));
}

/**
 * Returns the evidence that the user can see. Only users who see every draft see searches of other users, which could
 * reveal a draft.
 */
function visibleEvidence(
  actor: Actor,
  seen: ReadonlyMap<string, SeenSop>,
  { evidence }: EvidenceFields,
): StoredEvidence[] {
  return evidence.filter(({ rule, sopId, version }) => {
    if (rule === "zero-result-search") return canSeeUnrestrictedLatestVersions(actor);
    return sopId === null || (version !== null && canReadEvidence(actor, seen, { sopId, version }));
  });
}

function isSuggestionVisible(actor: Actor, seen: ReadonlyMap<string, SeenSop>, document: EvidenceFields): boolean {
  if (!document.named.every((one) => canReadEvidence(actor, seen, one))) return false;
  return document.source !== "rules" || visibleEvidence(actor, seen, document).length > 0;
}

export async function countPendingSuggestions(services: Pick<Services, "db">, actor: Actor): Promise<number> {
  const pending = await services.db
    .forCompany(actor.companyId)
    .collection("ai_suggestions")
    .find({ userId: actor.userId, status: "pending" }, { projection: { evidence: 1, named: 1, source: 1 } });
  const seen = await findVisibleSopsInUse(services, actor, pending.flatMap(sopIdsOfSuggestion));
  return pending.filter((document) => isSuggestionVisible(actor, seen, document)).length;
}

/** Presents suggestions in the given order, without those that the user can't see. */
export async function presentSuggestions(
  services: SuggestionServices,
  actor: Actor,
  documents: readonly SuggestionDocument[],
): Promise<z.input<typeof Suggestion>[]> {
  const drafts = documents.flatMap(({ sopId }) => (sopId === null ? [] : [sopId]));
  const near = documents.flatMap(({ similarTo }) => similarTo.map(({ sopId }) => sopId));
  const seen = await findVisibleSopsInUse(services, actor, [
    ...documents.flatMap(sopIdsOfSuggestion),
    ...near,
    ...drafts,
  ]);
  const categories = new Map((await services.companies.categories(actor.companyId)).map((one) => [one._id, one]));
  return documents
    .filter((document) => isSuggestionVisible(actor, seen, document))
    .map((document) => {
      const evidence = visibleEvidence(actor, seen, document);
      const category = categories.get(document.categoryId ?? "");
      return {
        id: document._id,
        title: document.title,
        description: document.description,
        content: document.content,
        categoryId: category ? document.categoryId : null,
        category: category ? { name: category.name } : null,
        ...reasoningFields(document.reasoning, evidence),
        evidence: evidence.map((one) => presentEvidence(one, seen)),
        similarTo: document.similarTo
          .filter((one) => canReadEvidence(actor, seen, one))
          .map(({ sopId, score }) => ({ sopId, score, title: seen.get(sopId)?.title ?? "" })),
        source: document.source,
        template: document.template,
        status: document.status,
        sopId: seen.has(document.sopId ?? "") ? document.sopId : null,
        createdAt: document.createdAt,
      };
    });
}

/**
 * Returns the fields that explain a suggestion.
 * @param own the reason that the AI or a user wrote
 */
function reasoningFields(own: string | null, evidence: readonly StoredEvidence[]) {
  const found = own === null ? reasonSentence(evidence.flatMap(({ rule }) => (rule === "ai" ? [] : [rule]))) : null;
  if (found === null) return { reasoning: own ?? "" };
  const { text, ...sentence } = found;
  return { reasoning: text, sentence };
}

function presentEvidence(
  { rule, sopId, detail, count }: StoredEvidence,
  seen: ReadonlyMap<string, SeenSop>,
): SuggestionEvidence {
  const { text, ...sentence } =
    rule === "ai" ? texts.fromAi() : evidenceSentence(rule satisfies GapRule, detail, count);
  return { rule, text, sentence, sopId, title: seen.get(sopId ?? "")?.title ?? null };
}
