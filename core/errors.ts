import type { MessageWithId } from "./language/catalog.ts";

/** One table: code → HTTP status, CLI exit code, default message. Only rules and policies throw `AppError`. */
export const errorTable = {
  invalid_input: { status: 400, exit: 2, message: "Check what you entered" },
  unauthenticated: { status: 401, exit: 4, message: "Sign in first" },
  proof_needed: { status: 403, exit: 4, message: "Enter your password again" },
  forbidden: { status: 403, exit: 4, message: "You don't have permission to do this" },
  not_found: { status: 404, exit: 2, message: "Not found" },
  method_not_allowed: { status: 405, exit: 2, message: "Method not allowed" },
  conflict: { status: 409, exit: 6, message: "Something changed. Reload and retry" },
  limit_reached: { status: 409, exit: 2, message: "Company limit reached" },
  ai_key_missing: { status: 409, exit: 4, message: "No API key for the AI is configured" },
  stale: { status: 412, exit: 6, message: "Someone else saved changes" },
  too_large: { status: 413, exit: 2, message: "The request is too large" },
  unsupported_type: { status: 415, exit: 2, message: "Send application/json" },
  unprocessable: { status: 422, exit: 2, message: "The text can't be processed" },
  font_missing: { status: 422, exit: 2, message: "No font has some characters of this text" },
  rate_limited: { status: 429, exit: 5, message: "Too many attempts, try again later" },
  unavailable: { status: 501, exit: 5, message: "This is not available here" },
  ai_disabled: { status: 403, exit: 4, message: "AI features are switched off" },
  ai_quota_exhausted: { status: 402, exit: 5, message: "The AI provider's account has no credit left" },
  ai_input_too_large: { status: 413, exit: 2, message: "The text is too long for AI. Try a shorter part" },
  ai_refused: { status: 422, exit: 2, message: "The AI declined" },
  ai_truncated: { status: 422, exit: 2, message: "The AI's answer was too long. Ask for less" },
  ai_filtered: { status: 422, exit: 2, message: "The AI provider's content filter stopped the answer" },
  ai_key_rejected: { status: 424, exit: 4, message: "The AI provider rejected the key. Check it in the settings" },
  ai_model_unavailable: { status: 424, exit: 5, message: "The AI provider doesn't have the configured model" },
  ai_rate_limited: {
    status: 429,
    exit: 5,
    message: "The AI provider is busy. Try again later",
  },
  ai_budget_spent: { status: 429, exit: 5, message: "The AI budget is used up" },
  ai_unreachable: { status: 502, exit: 5, message: "Can't reach the AI provider. Try again later" },
  ai_malformed: { status: 502, exit: 5, message: "The AI's answer was unusable. Nothing changed" },
  ai_timeout: { status: 504, exit: 5, message: "The AI provider took too long" },
  ai_failed: { status: 502, exit: 5, message: "The AI provider didn't respond as expected" },
  busy: { status: 503, exit: 5, message: "The server is busy. Try again in a moment" },
  damaged: { status: 500, exit: 5, message: "This is damaged on the server. Ask an administrator to restore it" },
  storage_full: { status: 507, exit: 5, message: "The server's disk is full. You can read but not save" },
  internal: { status: 500, exit: 70, message: "Something went wrong on the server" },
} as const satisfies Record<string, { status: number; exit: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** The body of every error answer. */
export interface ErrorBody {
  code: ErrorCode;
  /** The message in English. */
  message: string;
  details?: unknown;
  /** The id and values of the sentence, so that a client can write it in another language. */
  reason?: Pick<MessageWithId, "id" | "values">;
}

/** A refusal by a rule or policy. The caller sees `details`: never put secrets or data of others in it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly reason: ErrorBody["reason"];

  constructor(code: ErrorCode, message?: string | MessageWithId, details?: unknown) {
    super(typeof message === "object" ? message.text : (message ?? errorTable[code].message));
    this.name = "AppError";
    this.code = code;
    this.details = details;
    this.reason = typeof message === "object" ? { id: message.id, values: message.values } : undefined;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  toBody(): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.details !== undefined && { details: this.details }),
      ...(this.reason && { reason: this.reason }),
    };
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorTable, value);
}
