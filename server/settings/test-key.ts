/**
 * Asks the AI provider whether a key is valid, by the cheapest call. Never returns an answer of the provider to the
 * user.
 */
import { APIError } from "openai";
import { createOpenAiClient } from "#core/ai/client.ts";
import { AppError } from "#core/errors.ts";
import type { Config } from "../config.ts";
import { sentences, type MessageWithId } from "#core/language/catalog.ts";

const texts = sentences("server.settings", { validKey: "Valid API key" });

const refusals = sentences("server.settings.refusals", {
  invalidKey: "Invalid API key",
  noAccess: "The AI provider knows this key but refuses access",
  quota: "The AI provider refuses more requests with this key. Check its quota",
  trouble: "The AI provider has trouble (it answered {status}): try again later",
  otherAnswer: "The AI provider answered {status}. Check its address",
  unreachable: "Can't reach the AI provider. Try again later",
});

const timeoutMs = 10_000;

/**
 * Tests a key.
 * @throws AppError invalid_input when the provider refuses the key, ai_failed when it can't be asked
 */
export async function testAiKey(config: Pick<Config, "openai">, apiKey: string): Promise<MessageWithId> {
  try {
    const { status } = await createOpenAiClient({ apiKey, baseUrl: config.openai.baseUrl }, timeoutMs)
      .get<unknown>("/models", { signal: AbortSignal.timeout(timeoutMs) })
      .asResponse();
    if (status >= 200 && status < 300) return texts.validKey();
    throw keyTestError(status);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // the error can contain the key, or a page of an unknown server, so it isn't returned
    throw keyTestError(error instanceof APIError ? error.status : undefined);
  }
}

function keyTestError(status: number | undefined): AppError {
  if (status === 401) return new AppError("invalid_input", refusals.invalidKey());
  if (status === 403) return new AppError("invalid_input", refusals.noAccess());
  if (status === 429) return new AppError("ai_failed", refusals.quota());
  if (status !== undefined && status >= 500) return new AppError("ai_failed", refusals.trouble({ status }));
  if (status !== undefined) return new AppError("ai_failed", refusals.otherAnswer({ status }));
  return new AppError("ai_failed", refusals.unreachable());
}
