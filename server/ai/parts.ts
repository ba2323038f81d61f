/** Finds out which parts of a saved text come from AI, by the records of the AI calls that the save names. */
import type { AiPart } from "#core/sops/ai-part.ts";
import { AppError } from "#core/errors.ts";
import type { UserDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { refusals } from "./refusals.ts";

/**
 * Loads the AI calls that a save names as sources of its text.
 * @throws AppError invalid_input for a call of another user, or a call without a result
 */
export async function loadAiParts(
  { db }: Pick<Services, "db">,
  { _id: userId, companyId }: Pick<UserDocument, "_id" | "companyId">,
  aiCalls: readonly string[] = [],
): Promise<AiPart[]> {
  const ids = [...new Set(aiCalls)];
  if (ids.length === 0) return [];
  const calls = await db
    .forCompany(companyId)
    .collection("ai_calls")
    .find({ _id: { $in: ids }, userId, outcome: "ok" }, { sort: { _id: 1 } });
  if (calls.length < ids.length) {
    const message = refusals.otherCalls();
    throw new AppError("invalid_input", message, { aiCalls: message });
  }
  return calls.map(({ _id: callId, model, prompt, at }) => ({ callId, model, prompt, at }));
}
