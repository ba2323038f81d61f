import type { Handlers, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { generateSop } from "./generate.ts";
import { improveOnRequest, improveWithRules } from "./improve.ts";
import type { z } from "zod";
import { can } from "#core/permissions/can.ts";
import type { AiUsageReport } from "#core/ai/schema.ts";
import { AppError } from "#core/errors.ts";
import { apiKeyForUser } from "./access.ts";
import { companyBudget } from "./calls.ts";
import { companyMeter, readMeter, userMeter, type Meter } from "./meters.ts";
import { endOfPeriod, monthInUtc } from "./periods.ts";
import { estimatePrice } from "./prices.ts";

export function aiHandlers(services: Services): Handlers<"ai"> {
  return {
    generateSop: (call) => generateSop(services, call),
    improveSop: (call) => improveOnRequest(services, call, call.body, "improve"),
    enhanceContent(call) {
      const { enhancementType: kind, ...text } = call.body;
      return kind === "formatting" ? improveWithRules(services, text) : improveOnRequest(services, call, text, kind);
    },
    usage: ({ identity }) => loadUsageReport(services, identity),
  };
}

type AiStateServices = Pick<Services, "db" | "clock" | "config" | "keys" | "companies">;

/** Loads the tokens that the user and the company used, and their budgets. */
async function loadUsageReport(
  services: AiStateServices,
  { actor, user }: Identity,
): Promise<z.input<typeof AiUsageReport>> {
  const { db, clock, config, companies } = services;
  const { companyId } = user;
  const at = clock.now();
  const company = await companies.get(companyId);
  const usageOf = async (meter: Meter, budget: number | null) => {
    const { tokens, calls } = await readMeter(db, meter, at);
    return { tokens, calls, budget, until: endOfPeriod(meter.length, at) };
  };
  const month = await db
    .forCompany(companyId)
    .collection("ai_calls")
    .find(
      { userId: user._id, at: { $gte: monthInUtc(at) } },
      { projection: { key: 1, model: 1, askedModel: 1, promptTokens: 1, completionTokens: 1 } },
    );
  const personal = month.filter(({ key }) => key === "personal");
  return {
    key: keyInUseOf(services, user),
    own: await usageOf(userMeter(companyId, user._id), company?.settings.aiUserTokensPerDay ?? null),
    personal: {
      tokens: personal.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0),
      calls: personal.length,
    },
    company: can(actor, "company.settings")
      ? await usageOf(companyMeter(companyId), companyBudget(company, config))
      : null,
    estimate: config.openai.prices === null ? null : estimatePrice(config.openai.prices, month),
  };
}

function keyInUseOf(services: AiStateServices, user: Identity["user"]) {
  try {
    return apiKeyForUser(services, user).key;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
