/** What a save says of the AI's part in its text, taken from the records of the calls it names. */
import type { AiPart } from "#core/ai/part.ts";
import { AppError } from "#core/errors.ts";
import type { UserDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";

/** @throws AppError invalid_input for a call that is not the asker's own, or came to nothing */
export async function aiPartsOf(
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
    const message = "These are not AI calls of yours that brought an answer";
    throw new AppError("invalid_input", message, { aiCalls: message });
  }
  return calls.map(({ _id: callId, model, prompt, at }) => ({ callId, model, prompt, at }));
}
