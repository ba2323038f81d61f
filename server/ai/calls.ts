/** The record of a call: reserved before the call, settled after it, even if it failed. */
import { isPeriodRunning } from "#core/clock.ts";
import type { AiKind } from "#core/ai/kinds.ts";
import type { UsageSoFar } from "#core/ai/provider.ts";
import type { AiUsage } from "#core/ai/tokens.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { recordAudit } from "../audit/record.ts";
import { transactionFor } from "../database/turns.ts";
import type { Config } from "../config.ts";
import type {
  AiCallDocument,
  AiKey,
  AiMeterDocument,
  Collections,
  CompanyDocument,
  UserDocument,
} from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { recordChange, type RecordedRow } from "../effects/record.ts";
import type { Origin } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { assertAiSwitchedOn } from "./access.ts";
import {
  assertWithinBudget,
  companyMeter,
  meterPeriod,
  readMeter,
  userMeter,
  writeMeter,
  type Meter,
} from "./meters.ts";

type Tx = Transaction<Collections>;
type AiCallServices = Pick<Services, "db" | "clock" | "config">;

/**
 * Milliseconds after the deadline of a call in which its usage must be stored. After that, its server counts as
 * stopped.
 */
const settledWithinMs = 60_000;
/**
 * The maximum milliseconds of a call: the longest deadline that an operator can set, and the time to store the usage.
 */
const longestCallMs = 35 * 60_000;

export interface PlannedAiCall {
  kind: AiKind;
  /** The id and version of the prompt, such as `generate-sop@1`. */
  prompt: string;
  /** The estimated tokens of the call. */
  estimate: number;
  deadlineMs: number;
  key: AiKey;
  model: string;
}

export interface ReservedAiCall {
  call: AiCallDocument;
  estimate: number;
}

/**
 * Records the call as running, and reserves its estimated tokens in the budgets of the user and the company. A call
 * with a personal key reserves no tokens.
 * @throws AppError ai_disabled, ai_budget_spent
 */
export async function startAiCall(
  { db, clock, config }: AiCallServices,
  user: UserDocument,
  planned: PlannedAiCall,
): Promise<ReservedAiCall> {
  const { companyId } = user;
  const at = clock.now();
  const estimate = planned.key === "global" ? planned.estimate : 0;
  const until = new Date(clock.millis() + planned.deadlineMs + settledWithinMs).toISOString();
  return transactionFor(db, companyId, async (tx) => {
    const company = await tx.collection("companies").findOne({ _id: companyId });
    assertAiSwitchedOn(company, (await tx.collection("users").findOne({ _id: user._id })) ?? user);
    const own = await readMeter(tx, userMeter(companyId, user._id), at);
    const running = await markLostCalls(tx, own, at);
    if (planned.key === "global") {
      const perDay = company?.settings.aiUserTokensPerDay ?? null;
      assertWithinBudget(userMeter(companyId, user._id), own.tokens, estimate, perDay, at);
      const companyKey = companyMeter(companyId);
      const shared = await readMeter(tx, companyKey, at);
      assertWithinBudget(companyKey, shared.tokens, estimate, companyBudget(company, config), at);
      await writeMeter(tx, { ...shared, tokens: shared.tokens + estimate, calls: shared.calls + 1 });
    }
    const call: AiCallDocument = {
      _id: newId(),
      companyId,
      userId: user._id,
      kind: planned.kind,
      key: planned.key,
      model: planned.model,
      askedModel: planned.model,
      prompt: planned.prompt,
      promptTokens: estimate,
      completionTokens: 0,
      requests: 0,
      outcome: "running",
      ms: 0,
      at,
    };
    await writeMeter(tx, {
      ...own,
      tokens: own.tokens + estimate,
      calls: own.calls + (planned.key === "global" ? 1 : 0),
      running: [...running, { callId: call._id, until }],
    });
    await tx.forCompany(companyId).collection("ai_calls").insertOne(call);
    return { call, estimate };
  });
}

export interface CallResult {
  spent: Readonly<UsageSoFar>;
  outcome: Exclude<AiCallDocument["outcome"], "running" | "lost">;
  ms: number;
}

/**
 * Replaces the estimate by the real usage, and stores the outcome of the call.
 * @throws AppError ai_disabled, unauthenticated if AI or the user was disabled during the call. The caller must then
 * discard the answer
 */
export async function finishAiCall(
  { db, clock }: AiCallServices,
  user: UserDocument,
  origin: Origin | null,
  { call, estimate }: ReservedAiCall,
  { spent, outcome, ms }: CallResult,
): Promise<AiCallDocument> {
  const { companyId } = user;
  const { promptTokens, completionTokens } = billedUsage(spent, estimate);
  const more = call.key === "global" ? promptTokens + completionTokens - estimate : 0;
  const { settled, off } = await transactionFor(db, companyId, async (tx) => {
    const at = clock.now();
    const off = outcome === "ok" ? await findAiDisabledError(tx, user) : null;
    const settled: AiCallDocument = {
      ...call,
      model: spent.model,
      promptTokens,
      completionTokens,
      requests: spent.calls,
      outcome: off === null ? outcome : off.code,
      ms,
    };
    const own = userMeter(companyId, user._id);
    // a failure of the provider doesn't count against the user, who can try again, but counts against the company
    const ownMore = providerFaults.has(settled.outcome) ? -estimate : more;
    await adjustMeter(tx, own, call.at, ownMore, at, call._id);
    if (call.key === "global") await adjustMeter(tx, companyMeter(companyId), call.at, more, at, call._id);
    const { _id, companyId: _companyId, ...fields } = settled;
    await tx.forCompany(companyId).collection("ai_calls").updateOne({ _id }, { $set: fields });
    await recordChange(
      tx,
      { user, origin },
      { companyId, at, hears: { resources: ["ai"], to: [user._id] } },
      auditRowOfAiCall(settled),
    );
    return { settled, off };
  });
  if (off) throw off;
  return settled;
}

/** Outcomes that are failures of the provider. An answer that is cut off, refused or filtered is such a failure. */
const providerFaults: ReadonlySet<AiCallDocument["outcome"]> = new Set([
  "ai_unreachable",
  "ai_malformed",
  "ai_timeout",
  "ai_failed",
  "ai_rate_limited",
  "ai_key_rejected",
  "ai_model_unavailable",
  "ai_quota_exhausted",
]);

/**
 * Returns the tokens to bill. If the cost of an answer is unknown, such as after an abort, the call costs at least the
 * reserved tokens, because users could otherwise exceed a budget by aborting.
 */
function billedUsage({ usage, hasUnknownCost: untold }: Readonly<UsageSoFar>, estimate: number): AiUsage {
  const { promptTokens, completionTokens } = usage;
  return untold ? { promptTokens, completionTokens: Math.max(completionTokens, estimate - promptTokens) } : usage;
}

/** Returns the error if AI or the user was disabled during the call; else null. */
async function findAiDisabledError(tx: Tx, user: UserDocument): Promise<AppError | null> {
  const company = await tx.collection("companies").findOne({ _id: user.companyId });
  const now = await tx.collection("users").findOne({ _id: user._id });
  if (company?.status !== "active" || now?.status !== "active") return new AppError("unauthenticated");
  try {
    assertAiSwitchedOn(company, now);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/**
 * Adds `more` to the used tokens of a budget, and removes the finished call from the running calls. If the call began
 * in an earlier period, only removes the call.
 */
async function adjustMeter(
  tx: Tx,
  meter: Meter,
  began: string,
  more: number,
  at: string,
  callId: string,
): Promise<void> {
  const now = await readMeter(tx, meter, at);
  const same = meterPeriod(meter, began) === now.period;
  const tokens = same ? Math.max(0, now.tokens + more) : now.tokens;
  await writeMeter(tx, { ...now, tokens, running: now.running.filter((one) => one.callId !== callId) });
}

/**
 * Marks the user's calls as lost if their server stopped. Their reserved tokens count as used, because the provider may
 * have billed them.
 * @returns the calls that still run
 */
async function markLostCalls(tx: Tx, { companyId, running }: AiMeterDocument, at: string) {
  const isLost = ({ until }: { until: string }) => !isPeriodRunning(Date.parse(until), longestCallMs, Date.parse(at));
  const lost = running.filter(isLost);
  const calls = tx.forCompany(companyId).collection("ai_calls");
  for (const { callId } of lost) {
    const found = await calls.findOneAndUpdate(
      { _id: callId, outcome: "running" },
      { $set: { outcome: "lost" } },
      { returnDocument: "after" },
    );
    if (found)
      await recordAudit(tx, {
        companyId,
        at,
        userId: found.userId,
        userName: null,
        origin: null,
        ...auditRowOfAiCall(found),
      });
  }
  return running.filter((call) => !isLost(call));
}

function auditRowOfAiCall(call: AiCallDocument): RecordedRow {
  const { _id: entityId, kind, outcome, model, prompt, key, promptTokens, completionTokens } = call;
  return {
    action: `ai.${kind}`,
    entityType: "ai_call",
    entityId,
    changes: { outcome, model, prompt, key, promptTokens, completionTokens },
  };
}

/**
 * Returns the monthly tokens of the company: its own budget, or the operator's if that is smaller. Null means no limit.
 */
export function companyBudget(
  company: Pick<CompanyDocument, "settings"> | null,
  { openai: { companyTokens } }: Pick<Config, "openai">,
): number | null {
  const own = company?.settings.aiCompanyTokensPerMonth ?? null;
  return own === null || companyTokens === null ? (own ?? companyTokens) : Math.min(own, companyTokens);
}
