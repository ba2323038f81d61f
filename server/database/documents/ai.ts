/** What was asked of AI providers: never what was said, by neither side. */
import type { AiKind } from "#core/ai/kinds.ts";
import type { ErrorCode } from "#core/errors.ts";
import type { Tenant } from "./parts.ts";

/** Whose key a call goes by: the user's own, or the server's. */
export type AiKey = "personal" | "global";

export interface AiCallDocument extends Tenant {
  userId: string;
  kind: AiKind;
  key: AiKey;
  /** As the provider named it, once it answered; until then the one it was asked for. */
  model: string;
  askedModel: string;
  /** `generate-sop@1` */
  prompt: string;
  promptTokens: number;
  completionTokens: number;
  /** Requests it took. */
  requests: number;
  /** `lost`: the server that made it died meanwhile. */
  outcome: "running" | "ok" | "cancelled" | "lost" | ErrorCode;
  ms: number;
  at: string;
}

/**
 * What is spent in a period on the server's key; a new period begins with the first call of it. Every call writes here
 * before it is made, so that two at once meet. `_id`: `user:<id>` (a day) or `company:<id>` (a month).
 */
export interface AiMeterDocument extends Tenant {
  /** `2026-11-21` or `2026-11`, UTC. */
  period: string;
  /** Of calls that run: what they may take, at a guess. */
  tokens: number;
  calls: number;
  /** A user's calls that run, whoever's key they go by. */
  running: RunningAiCall[];
}

export interface RunningAiCall {
  callId: string;
  /** When it can't run any more, whatever became of it. */
  until: string;
}
