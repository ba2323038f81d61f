/** Turns a failed AI call into a text for the user. */
import { ApiError } from "#core/api/client.ts";
import type { ErrorCode } from "#core/errors.ts";
import { texts } from "./texts.ts";

export interface AiFailure {
  text: string;
  /** True if the AI provider's key is missing or was rejected. */
  isAboutKey: boolean;
  /** When to try again, in milliseconds since 1970; null if the server set no time. */
  retryAt: number | null;
}

/** Codes of errors whose server message is shown to the user unchanged, in addition to all codes of AI. */
const codesWithShownMessage: readonly ErrorCode[] = [
  "forbidden",
  "invalid_input",
  "limit_reached",
  "too_large",
  "rate_limited",
  "busy",
  "storage_full",
];

/**
 * Returns the text and cause of a failed AI call.
 * @param fallback the screen's text if the server gives no message for the user
 */
export function aiFailureOf(error: unknown, fallback: string): AiFailure {
  if (!(error instanceof ApiError) || error.code === null) return { text: fallback, isAboutKey: false, retryAt: null };
  const { code, serverMessage } = error;
  const speaks = code.startsWith("ai_") || codesWithShownMessage.includes(code);
  const text = (speaks && serverMessage) || fallback;
  return {
    text: code === "ai_key_missing" ? texts.keyMissing : text,
    isAboutKey: code === "ai_key_missing" || code === "ai_key_rejected",
    retryAt: retryTimeOf(error.details),
  };
}

function retryTimeOf(details: unknown): number | null {
  const { retryAfterSeconds } = (details ?? {}) as { retryAfterSeconds?: unknown };
  return typeof retryAfterSeconds === "number" ? Date.now() + retryAfterSeconds * 1000 : null;
}
