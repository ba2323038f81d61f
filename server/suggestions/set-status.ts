/**
 * Accepts or dismisses a suggestion. Accepting creates one draft; a dismissed suggestion isn't suggested again unless
 * it is restored.
 */
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { SopCreate } from "#core/sops/schema.ts";
import type { SuggestionStatus } from "#core/suggestions/schema.ts";
import { templateAsDraft } from "#core/assistant/template-draft.ts";
import { readPlainTemplate } from "../assistant/plain-template.ts";
import { runInTurn, transactionFor } from "../database/turns.ts";
import type { Collections, SopDocument, SuggestionDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { recordChange } from "../effects/record.ts";
import type { Call, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { createSop } from "../sops/edit/create.ts";
import { presentSuggestions } from "./seen.ts";
import { refusals } from "./refusals.ts";

export type SuggestionCall = { identity: Identity } & Pick<Call, "origin" | "idempotency">;

const allowedNextStatuses: Record<SuggestionStatus, readonly SuggestionStatus[]> = {
  pending: ["accepted", "dismissed"],
  dismissed: ["pending"],
  accepted: [],
};

/**
 * Accepts, dismisses or restores a suggestion. Accepting creates a draft.
 * @returns the suggestion after the change, and the draft if this call created it
 */
export async function changeSuggestionStatus(
  services: Services,
  call: SuggestionCall,
  id: string,
  status: SuggestionStatus,
): Promise<{ suggestion: SuggestionDocument; draft: SopDocument | null }> {
  return runInTurn(`suggestion ${id}`, async () => {
    const before = await loadSuggestion(services, call, id);
    if (before.status === status) return { suggestion: before, draft: null };
    if (!allowedNextStatuses[before.status].includes(status)) {
      const message = before.status === "accepted" ? refusals.accepted() : refusals.dismissed();
      throw new AppError("conflict", message);
    }
    try {
      const draft = status === "accepted" ? await acceptSuggestion(services, call, before) : null;
      if (draft === null) await setSuggestionStatus(services, call, before, status);
      return { suggestion: await loadSuggestion(services, call, id), draft };
    } catch (error) {
      if (!(error instanceof SettledMeanwhile)) throw error;
      const now = await loadSuggestion(services, call, id);
      if (now.status === status) return { suggestion: now, draft: null };
      throw new AppError("conflict", refusals.closedAlready());
    }
  });
}

class SettledMeanwhile extends Error {}

/**
 * Loads a suggestion.
 * @throws AppError not_found for a suggestion of another user, an unknown one, and one without evidence that the user
 * can see
 */
async function loadSuggestion(
  services: Services,
  { identity: { actor } }: SuggestionCall,
  id: string,
): Promise<SuggestionDocument> {
  const store = services.db.forCompany(actor.companyId).collection("ai_suggestions");
  const found = await store.findOne({ _id: id, userId: actor.userId });
  if (!found || (await presentSuggestions(services, actor, [found])).length === 0) throw new AppError("not_found");
  return found;
}

async function acceptSuggestion(
  services: Services,
  call: SuggestionCall,
  suggestion: SuggestionDocument,
): Promise<SopDocument> {
  const { title, description, source } = suggestion;
  const body = SopCreate.parse({
    title,
    description: description.trim() === "" ? title : description.slice(0, limits.descriptionCharacters),
    markdown: await draftMarkdownOfSuggestion(services, suggestion),
    categoryId: await existingCategoryId(services, suggestion),
    isAiGenerated: source === "ai" && suggestion.content !== null,
  });
  const { sop } = await createSop(services, call, body, (tx, made) =>
    writeSuggestionStatus(tx, call, suggestion, { status: "accepted", sopId: made._id, at: services.clock.now() }),
  );
  return sop;
}

async function draftMarkdownOfSuggestion(
  { templates }: Services,
  { title, content, template }: SuggestionDocument,
): Promise<string> {
  if (content !== null && content.trim() !== "") return content;
  const found = template === null ? undefined : templates.get(template);
  return found === undefined ? await readPlainTemplate() : templateAsDraft(found, title, []);
}

/** Returns the id of the suggestion's category; null if the category no longer exists. */
async function existingCategoryId({ companies }: Services, { companyId, categoryId }: SuggestionDocument) {
  const categories = await companies.categories(companyId);
  return categories.some(({ _id }) => _id === categoryId) ? categoryId : null;
}

function setSuggestionStatus(
  services: Services,
  call: SuggestionCall,
  before: SuggestionDocument,
  status: SuggestionStatus,
): Promise<void> {
  return transactionFor(services.db, before.companyId, (tx) =>
    writeSuggestionStatus(tx, call, before, { status, sopId: null, at: services.clock.now() }),
  );
}

async function writeSuggestionStatus(
  tx: Transaction<Collections>,
  call: SuggestionCall,
  { _id, companyId, userId, status: from }: SuggestionDocument,
  { status: to, sopId, at }: { status: SuggestionStatus; sopId: string | null; at: string },
): Promise<void> {
  const store = tx.forCompany(companyId).collection("ai_suggestions");
  const { matchedCount } = await store.updateOne({ _id, userId, status: from }, { $set: { status: to, sopId } });
  if (matchedCount === 0) throw new SettledMeanwhile();
  await recordChange(
    tx,
    // the creation of an accepted suggestion's draft stores the answer for a repeat
    { ...call, idempotency: null },
    { companyId, at, hears: { resources: ["suggestions", "stats"], to: [userId] } },
    {
      action: "suggestion.status",
      entityType: "suggestion",
      entityId: _id,
      changes: { status: { from, to }, ...(sopId === null ? {} : { sopId }) },
    },
  );
}
