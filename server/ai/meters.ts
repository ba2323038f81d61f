/**
 * Stores the tokens used of a budget. One transaction reads and writes them, so that simultaneous calls conflict and
 * the sum is exact.
 */
import { AppError } from "#core/errors.ts";
import type { AiMeterDocument, Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { dayInUtc, endOfPeriod, monthInUtc } from "./periods.ts";
import { refusals } from "./refusals.ts";

type Tx = Transaction<Collections>;

/** A budget for calls with the server's key: a user's daily tokens, or a company's monthly tokens. */
export interface Meter {
  id: string;
  companyId: string;
  length: "day" | "month";
}

export function userMeter(companyId: string, userId: string): Meter {
  return { id: `user:${userId}`, companyId, length: "day" };
}

export function companyMeter(companyId: string): Meter {
  return { id: `company:${companyId}`, companyId, length: "month" };
}

export function meterPeriod({ length }: Meter, at: string): string {
  return length === "day" ? dayInUtc(at) : monthInUtc(at);
}

/**
 * Loads the meter of the present period. A new period starts with no used tokens and keeps the running calls. `stored`
 * is true if the database has a document of the meter, from any period.
 */
export async function readMeter(
  store: Pick<Tx, "forCompany">,
  meter: Meter,
  at: string,
): Promise<AiMeterDocument & { stored: boolean }> {
  const found = await store.forCompany(meter.companyId).collection("ai_meters").findOne({ _id: meter.id });
  const period = meterPeriod(meter, at);
  if (found?.period === period) return { ...found, stored: true };
  const { id: _id, companyId } = meter;
  return { _id, companyId, period, tokens: 0, calls: 0, running: found?.running ?? [], stored: found !== null };
}

export async function writeMeter(tx: Tx, { stored, ...meter }: AiMeterDocument & { stored: boolean }): Promise<void> {
  const meters = tx.forCompany(meter.companyId).collection("ai_meters");
  const { _id, companyId: _companyId, ...fields } = meter;
  if (stored) await meters.updateOne({ _id }, { $set: fields });
  else await meters.insertOne(meter);
}

/** Checks that the wanted tokens fit into the budget. @throws AppError ai_budget_spent if they don't */
export function assertWithinBudget(
  meter: Meter,
  spent: number,
  wanted: number,
  budget: number | null,
  at: string,
): void {
  if (budget === null || spent + wanted <= budget) return;
  const until = endOfPeriod(meter.length, at);
  const left = Math.max(0, budget - spent);
  const scope = meter.length === "day" ? "user" : "company";
  throw new AppError("ai_budget_spent", refusals.budgetSpent({ length: meter.length, wanted, left, budget }), {
    scope,
    left,
    budget,
    until,
    retryAfterSeconds: Math.ceil((Date.parse(until) - Date.parse(at)) / 1000),
  });
}
