/**
 * Runs every call to a model: `runAi(services, identity, origin, ask, (provider) => …)`. First checks that AI is on,
 * that there is a key, and that the budget covers the estimate. Runs `work` under one deadline, always records the
 * usage, and turns all errors of `work` into errors of the kind `ai_…`.
 */
import { openProvider, type OpenProvider } from "#core/ai/provider.ts";
import { defaultModel } from "#core/ai/client.ts";
import { aiErrorOf } from "#core/ai/failure.ts";
import type { AiKind } from "#core/ai/kinds.ts";
import type { AiMade } from "#core/ai/schema.ts";
import type { StreamListener } from "#core/ai/stream.ts";
import { AppError } from "#core/errors.ts";
import type { AiCallDocument, UserDocument } from "../database/documents.ts";
import { currentCaller } from "../capacity/caller.ts";
import type { Identity, Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { assertAiSwitchedOn, apiKeyForUser } from "./access.ts";
import { startAiCall, finishAiCall } from "./calls.ts";
import { refusals } from "./refusals.ts";

export interface AiAsk {
  kind: AiKind;
  /** The id and version of the instruction, such as `generate-sop@1`. The prompt itself isn't stored. */
  prompt: string;
  /** An estimate of the tokens: `estimateTokens` of the input, plus the largest expected answer. */
  estimate: number;
  /** Aborts the call when the client has disconnected. */
  signal: AbortSignal;
  /** Gets the answer piece by piece, if the provider can stream. Absent if the caller only needs the whole answer. */
  listening?: StreamListener;
}

export interface AnswerWithUsage<T> {
  value: T;
  /** The facts about the call for the answer. A save names its `callId`. */
  made: AiMade;
  /** The time of the answer. */
  at: string;
}

type AiRunServices = Pick<Services, "shares" | "db" | "clock" | "config" | "keys" | "companies" | "log">;

/**
 * Runs `work` with an AI provider, and records the usage.
 * @throws AppError of the kinds `ai_…`, and `unprocessable` or `busy` from the work on texts
 */
export async function runAi<T>(
  services: AiRunServices,
  { user }: Pick<Identity, "user">,
  origin: Origin | null,
  ask: AiAsk,
  work: (provider: OpenProvider) => Promise<T>,
): Promise<AnswerWithUsage<T>> {
  const { kind, prompt, estimate, signal, listening } = ask;
  const { deadlineMs } = services.config.openai;
  assertAiSwitchedOn(await services.companies.get(user.companyId), user);
  const { key, settings } = apiKeyForUser(services, user);
  const model = settings.model ?? defaultModel;
  const leave = await enterAiQueue(services, user);
  const reserved = await startAiCall(services, user, { kind, prompt, estimate, deadlineMs, key, model }).catch(
    (error: unknown) => {
      leave();
      throw error;
    },
  );
  const started = performance.now();
  const provider = openProvider(
    settings,
    deadlineMs,
    signal,
    listening && { idleMs: idleLimitOf(deadlineMs), ...listening },
  );
  const recordOutcome = (outcome: "ok" | "cancelled" | AppError["code"]) =>
    finishAiCall(services, user, origin, reserved, {
      spent: provider.spent,
      outcome,
      ms: Math.round(performance.now() - started),
    });
  let value: T;
  try {
    value = await work(provider);
    signal.throwIfAborted();
  } catch (error) {
    const refusal = aiErrorFor(error, model, signal);
    if (!(error instanceof AppError) && !signal.aborted) services.log.error({ err: error }, "AI call");
    await recordOutcome(signal.aborted ? "cancelled" : refusal.code);
    throw refusal;
  } finally {
    leave();
  }
  return aiAnswerOf(value, await recordOutcome("ok"));
}

/**
 * Returns the milliseconds that a model may send nothing. A slow model sends nothing for long before its first word.
 */
function idleLimitOf(deadlineMs: number): number {
  return Math.max(20_000, deadlineMs / 3);
}

async function enterAiQueue({ shares }: AiRunServices, { _id: userId, companyId }: UserDocument): Promise<() => void> {
  try {
    const caller = currentCaller();
    // a call outside of the user's request has no network address to count against
    return await shares.ai.enter(caller.userId === userId ? caller : { companyId, userId });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "rate_limited") throw error;
    const message = refusals.othersRunning();
    throw new AppError("ai_rate_limited", message, { retryAfterSeconds: 5 });
  }
}

/**
 * Turns a failure into an error for the client. A bug of the server becomes "internal"; an error of the provider
 * becomes a kind of its own.
 */
function aiErrorFor(error: unknown, model: string, signal: AbortSignal): AppError {
  if (signal.aborted) return new AppError("ai_failed", refusals.endedBeforeAnswer());
  return error instanceof TypeError || error instanceof RangeError ? new AppError("internal") : aiErrorOf(error, model);
}

function aiAnswerOf<T>(value: T, call: AiCallDocument): AnswerWithUsage<T> {
  const { _id: callId, model, prompt, promptTokens, completionTokens, requests, at } = call;
  return { value, at, made: { callId, model, prompt, usage: { promptTokens, completionTokens }, calls: requests } };
}
