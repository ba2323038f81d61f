/** One table: code → HTTP status, CLI exit code, default message. Rules and policies throw `AppError`, nothing else does. */
export const errorTable = {
  invalid_input: { status: 400, exit: 2, message: "The input is not valid" },
  unauthenticated: { status: 401, exit: 4, message: "Sign in first" },
  forbidden: { status: 403, exit: 4, message: "You don't have permission to do this" },
  not_found: { status: 404, exit: 2, message: "Not found" },
  method_not_allowed: { status: 405, exit: 2, message: "This path does not answer that method" },
  conflict: { status: 409, exit: 6, message: "This conflicts with the current state" },
  limit_reached: { status: 409, exit: 2, message: "The company's limit is reached" },
  ai_key_missing: { status: 409, exit: 4, message: "No API key for the AI is configured" },
  stale: { status: 412, exit: 6, message: "Somebody else saved in the meantime" },
  too_large: { status: 413, exit: 2, message: "The request is too large" },
  unsupported_type: { status: 415, exit: 2, message: "Send application/json" },
  unprocessable: { status: 422, exit: 2, message: "The text can't be processed" },
  rate_limited: { status: 429, exit: 5, message: "Too many attempts, try again later" },
  unavailable: { status: 501, exit: 5, message: "This is not available here" },
  ai_disabled: { status: 403, exit: 4, message: "AI features are switched off" },
  ai_quota_exhausted: { status: 402, exit: 5, message: "The AI provider's account has no credit left" },
  ai_input_too_large: { status: 413, exit: 2, message: "The text is too long for the AI: give it a part of it" },
  ai_refused: { status: 422, exit: 2, message: "The AI declined" },
  ai_truncated: { status: 422, exit: 2, message: "The AI's answer became too long: ask for less at once" },
  ai_filtered: { status: 422, exit: 2, message: "The AI provider's content filter stopped the answer" },
  ai_key_rejected: { status: 424, exit: 4, message: "The AI provider rejected the key: check it in the settings" },
  ai_model_unavailable: { status: 424, exit: 5, message: "The AI provider does not have the configured model" },
  ai_rate_limited: {
    status: 429,
    exit: 5,
    message: "The AI provider takes no more requests right now: try again later",
  },
  ai_budget_spent: { status: 429, exit: 5, message: "The budget for the AI is spent" },
  ai_unreachable: { status: 502, exit: 5, message: "The AI provider can't be reached: try again later" },
  ai_malformed: { status: 502, exit: 5, message: "The AI's answer can't be used: nothing was changed" },
  ai_timeout: { status: 504, exit: 5, message: "The AI provider took too long" },
  ai_failed: { status: 502, exit: 5, message: "The AI provider did not answer as expected" },
  busy: { status: 503, exit: 5, message: "The server is busy, try again in a moment" },
  damaged: { status: 500, exit: 5, message: "This is damaged on the server: it has to be restored" },
  storage_full: { status: 507, exit: 5, message: "The server's disk is full: reading works, saving does not" },
  internal: { status: 500, exit: 70, message: "Something went wrong on the server" },
} as const satisfies Record<string, { status: number; exit: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** What every refused call answers, whatever refused it. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details?: unknown;
}

/** A refusal by a rule or policy. `details` is shown to the caller: never put secrets or foreign data in it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;

  constructor(code: ErrorCode, message?: string, details?: unknown) {
    super(message ?? errorTable[code].message);
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  toBody(): ErrorBody {
    return this.details === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, details: this.details };
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorTable, value);
}
