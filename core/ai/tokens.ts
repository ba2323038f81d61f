/** The number of tokens of a call as the provider reports it, or an estimate if the provider doesn't report it. */
export interface AiUsage {
  promptTokens: number;
  completionTokens: number;
}

/**
 * The maximum length of an answer in tokens. A long draft has 4,000; the limit stops a model that would write until the
 * deadline.
 */
export const answerTokensDefault = 16_000;

export function usageSum(a: AiUsage, b: AiUsage): AiUsage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
}

const encoder = new TextEncoder();

/**
 * Estimates the number of tokens of a text, rather too high than too low, until the provider reports it. English has
 * about four bytes per token; other languages and code have fewer.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}
