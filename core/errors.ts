import { errorSentences } from "./error-sentences.ts";
import { sentenceOfMessage, type MessageWithId, type Sentence } from "./language/catalog.ts";

/** The HTTP status and the CLI exit code of each error code. */
export const errorTable = {
  invalid_input: { status: 400, exit: 2 },
  unauthenticated: { status: 401, exit: 4 },
  proof_needed: { status: 403, exit: 4 },
  forbidden: { status: 403, exit: 4 },
  not_found: { status: 404, exit: 2 },
  method_not_allowed: { status: 405, exit: 2 },
  conflict: { status: 409, exit: 6 },
  limit_reached: { status: 409, exit: 2 },
  ai_key_missing: { status: 409, exit: 4 },
  stale: { status: 412, exit: 6 },
  too_large: { status: 413, exit: 2 },
  unsupported_type: { status: 415, exit: 2 },
  unprocessable: { status: 422, exit: 2 },
  font_missing: { status: 422, exit: 2 },
  rate_limited: { status: 429, exit: 5 },
  unavailable: { status: 501, exit: 5 },
  ai_disabled: { status: 403, exit: 4 },
  ai_quota_exhausted: { status: 402, exit: 5 },
  ai_input_too_large: { status: 413, exit: 2 },
  ai_refused: { status: 422, exit: 2 },
  ai_truncated: { status: 422, exit: 2 },
  ai_filtered: { status: 422, exit: 2 },
  ai_key_rejected: { status: 424, exit: 4 },
  ai_model_unavailable: { status: 424, exit: 5 },
  ai_rate_limited: { status: 429, exit: 5 },
  ai_budget_spent: { status: 429, exit: 5 },
  ai_unreachable: { status: 502, exit: 5 },
  ai_malformed: { status: 502, exit: 5 },
  ai_timeout: { status: 504, exit: 5 },
  ai_failed: { status: 502, exit: 5 },
  busy: { status: 503, exit: 5 },
  damaged: { status: 500, exit: 5 },
  storage_full: { status: 507, exit: 5 },
  internal: { status: 500, exit: 70 },
} as const satisfies Record<string, { status: number; exit: number }>;

export type ErrorCode = keyof typeof errorTable;

/** The id and values of a sentence, so that a client can write it in another language. */
export type Reason = Pick<MessageWithId, "id" | "values">;

/** The body of every error answer. */
export interface ErrorBody {
  code: ErrorCode;
  /** The message in English. */
  message: string;
  details?: unknown;
  /** The sentence of `message`; absent if `message` is the general sentence of the code. */
  reason?: Reason;
  /** The sentences of fields in `details` that differ from `message`. */
  reasons?: Readonly<Record<string, Reason>>;
}

/** A refusal of a request. Clients get `details`, so it must not contain secrets or other users' data. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly reason: ErrorBody["reason"];
  readonly reasons: ErrorBody["reasons"];

  /**
   * @param details facts for the client; a sentence among them is replaced by its text, and its id goes into `reasons`
   */
  constructor(code: ErrorCode, message?: Sentence, details?: unknown) {
    super((message ?? errorSentences[code]()).text);
    this.name = "AppError";
    this.code = code;
    this.reason = message?.id === undefined ? undefined : reasonOf(message);
    const found = Object.entries(Object(details) as object).filter(isMessage);
    this.details =
      found.length === 0
        ? details
        : { ...(details as object), ...Object.fromEntries(found.map(([field, { text }]) => [field, text])) };
    const others = found.filter(([, { text }]) => text !== this.message);
    this.reasons =
      others.length === 0 ? undefined : Object.fromEntries(others.map(([field, one]) => [field, reasonOf(one)]));
  }

  /** Recreates a refusal from the body that another process or worker sent. */
  static from({ code, message, details, reason, reasons }: ErrorBody): AppError {
    const error = new this(code, sentenceOfMessage({ message, reason }), details);
    return Object.assign(error, { reasons });
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  /** Returns the message in a form that can be a value of another sentence. */
  get sentence(): Sentence {
    return sentenceOfMessage(this);
  }

  toBody(): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      ...(this.details !== undefined && { details: this.details }),
      ...(this.reason && { reason: this.reason }),
      ...(this.reasons && { reasons: this.reasons }),
    };
  }
}

const reasonOf = ({ id, values }: MessageWithId): Reason => ({ id, values });

function isMessage(entry: [string, unknown]): entry is [string, MessageWithId] {
  const { id, values, text } = Object(entry[1]) as Partial<MessageWithId>;
  return typeof id === "string" && typeof values === "object" && typeof text === "string";
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorTable, value);
}
