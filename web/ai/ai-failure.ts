/** What a failed AI call says on screen: never more than is known. */
import { ApiError } from "#core/api/client.ts";
import type { ErrorCode } from "#core/errors.ts";
import { texts } from "./texts.ts";

export interface AiFailure {
  text: string;
  /** A key is missing, or the one there is does not work. */
  isAboutKey: boolean;
  /** Milliseconds since 1970; null: at once. */
  retryAt: number | null;
}

/** Their message says all there is to say. */
const speakForThemselves: readonly ErrorCode[] = [
  "forbidden",
  "invalid_input",
  "limit_reached",
  "too_large",
  "rate_limited",
  "busy",
  "storage_full",
];

/** @param fallback the screen's own text, for what the server has no words for: no answer at all, a fault of its own */
export function aiFailure(error: unknown, fallback: string): AiFailure {
  if (!(error instanceof ApiError) || error.code === null) return { text: fallback, isAboutKey: false, retryAt: null };
  const { code, serverMessage } = error;
  const speaks = code.startsWith("ai_") || speakForThemselves.includes(code);
  const text = (speaks && serverMessage) || fallback;
  return {
    text: code === "ai_key_missing" ? texts.keyMissing : text,
    isAboutKey: code === "ai_key_missing" || code === "ai_key_rejected",
    retryAt: retryAt(error.details),
  };
}

function retryAt(details: unknown): number | null {
  const { retryAfterSeconds } = (details ?? {}) as { retryAfterSeconds?: unknown };
  return typeof retryAfterSeconds === "number" ? Date.now() + retryAfterSeconds * 1000 : null;
}
