/**
 * Estimates costs by the operator's price list. The product has no list of its own, because providers change their
 * prices.
 */
import type { AiCallDocument } from "../database/documents.ts";

export interface Prices {
  currency: string;
  /** Model → the prices of a million input tokens and of a million output tokens. */
  models: ReadonlyMap<string, { input: number; output: number }>;
}

const price = /^(\S+)=(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/;

/** Parses a list such as `EUR small=1.5/6 large=10/40`. @returns null for an invalid price list */
export function parsePrices(text: string): Prices | null {
  const [currency = "", ...entries] = text.trim().split(/\s+/);
  if (!/^[A-Z]{3}$/.test(currency) || entries.length === 0) return null;
  const models = new Map<string, { input: number; output: number }>();
  for (const entry of entries) {
    const [, model = "", input, output] = price.exec(entry) ?? [];
    if (model === "") return null;
    models.set(model, { input: Number(input), output: Number(output) });
  }
  return { currency, models };
}

export type PricedCall = Pick<AiCallDocument, "model" | "askedModel" | "promptTokens" | "completionTokens">;

/** Estimates the price of calls. @returns the amount, and the tokens of models that the list does not name */
export function estimatePrice({ currency, models }: Prices, calls: readonly PricedCall[]) {
  let amount = 0;
  let unpriced = 0;
  for (const { model, askedModel, promptTokens, completionTokens } of calls) {
    // the provider answers with a dated name, such as `model-2026-01-05` for the requested `model`
    const known = models.get(model) ?? models.get(askedModel);
    if (known) amount += (promptTokens * known.input + completionTokens * known.output) / 1_000_000;
    else unpriced += promptTokens + completionTokens;
  }
  return { amount: Number(amount.toFixed(6)), currency, unpriced };
}
