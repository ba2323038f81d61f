/** Defines the records of calls to AI providers. They contain neither the prompt nor the answer. */
import type { AiKind } from "#core/ai/kinds.ts";
import type { ErrorCode } from "#core/errors.ts";
import type { Tenant, StoredCollections } from "./parts.ts";

/** Says whose API key a call used: the user's own, or the server's. */
export type AiKey = "personal" | "global";

export interface AiCallDocument extends Tenant {
  userId: string;
  kind: AiKind;
  key: AiKey;
  /** The provider's name for the model; until the provider answers, the requested model. */
  model: string;
  askedModel: string;
  /** The id and version of the prompt, such as `generate-sop@1`. */
  prompt: string;
  promptTokens: number;
  completionTokens: number;
  /** The number of requests to the provider. */
  requests: number;
  /** `lost`: the server that made the call stopped before the call ended. */
  outcome: "running" | "ok" | "cancelled" | "lost" | ErrorCode;
  ms: number;
  at: string;
}

/**
 * The used tokens of the server's key in a period. The first call of a period starts the document anew. Every call
 * writes here before it starts, so that two simultaneous calls conflict. `_id`: `user:<id>` (a day) or `company:<id>`
 * (a month).
 */
export interface AiMeterDocument extends Tenant {
  /** `2026-11-21` or `2026-11`, UTC. */
  period: string;
  /** Tokens used. A running call counts with its estimate. */
  tokens: number;
  calls: number;
  /** A user's running calls, with either key. */
  running: RunningAiCall[];
}

export interface RunningAiCall {
  callId: string;
  /** The time after which the call counts as lost if its end was never stored. */
  until: string;
}

export interface AiCollections {
  ai_calls: AiCallDocument;
  ai_meters: AiMeterDocument;
}

/** Milliseconds that AI calls are kept. Usage reports are by month, and versions store their own facts about a call. */
const keptMs = 400 * 24 * 3_600_000;

export const aiCollections: StoredCollections<AiCollections> = {
  ai_calls: {
    tenant: true,
    indexes: [
      { name: "user_time", keys: { companyId: 1, userId: 1, at: 1 } },
      { name: "age", keys: { at: 1 } },
    ],
    swept: { by: "at", afterMs: keptMs },
    ifLost: "a record for usage reports, kept for 400 days",
  },
  ai_meters: { tenant: true, indexes: [], ifLost: "a budget begins again" },
};
