import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import { AppError } from "#core/errors.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.ai.refusals", {
  noModel: 'The AI provider has no model "{model}"',
  refusedRequest: "The AI provider refused the request (it answered {status})",
});

const longestRetrySeconds = 3600;

/**
 * Translates a failed call to the provider into an error of this program. The provider's words could quote the key
 * (`docs/ai.md`), so they are left out. Unforeseen errors become `ai_unreachable` or `ai_malformed`, never an internal
 * error.
 * @param model the requested model
 */
export function aiErrorOf(error: unknown, model: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof APIConnectionTimeoutError || isTimeout(error)) return new AppError("ai_timeout");
  if (error instanceof APIUserAbortError || error instanceof APIConnectionError) return new AppError("ai_unreachable");
  if (error instanceof APIError) return errorOfStatus(error, model);
  return new AppError("ai_malformed");
}

function errorOfStatus(error: APIError, model: string): AppError {
  const { status, code } = error as { status: number | undefined; code: string | null | undefined };
  if (status === undefined) return new AppError("ai_unreachable");
  if (status === 401 || status === 403) return new AppError("ai_key_rejected");
  if (status === 402 || code === "insufficient_quota") return new AppError("ai_quota_exhausted");
  if (status === 404 || code === "model_not_found")
    return new AppError("ai_model_unavailable", refusals.noModel({ model }));
  if (status === 413 || code === "context_length_exceeded" || isTooLong(error))
    return new AppError("ai_input_too_large");
  if (status === 429)
    return new AppError("ai_rate_limited", undefined, { retryAfterSeconds: secondsUntilRetry(error) });
  if (code === "content_filter" || code === "content_policy_violation") return new AppError("ai_filtered");
  if (status === 408 || status === 504) return new AppError("ai_timeout");
  if (status >= 500) return new AppError("ai_unreachable");
  return new AppError("ai_failed", refusals.refusedRequest({ status }));
}

/**
 * Tells whether the provider refused a text as too long. Local servers say so by an error type or in words:
 * `exceed_context_size_error`, "maximum context length is 4096 tokens".
 */
function isTooLong({ status, type, message }: APIError): boolean {
  return (
    status === 400 &&
    /exceed_context_size|maximum context length|context (?:size|window)/i.test(`${type ?? ""} ${message}`)
  );
}

function secondsUntilRetry({ headers }: APIError): number {
  const said = Number(headers?.get("retry-after") ?? Number.NaN);
  return Number.isFinite(said) && said > 0 ? Math.min(Math.ceil(said), longestRetrySeconds) : 20;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
