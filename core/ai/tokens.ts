/** Tokens as the provider counts them; our estimate where it does not, as local servers may. */
export interface AiUsage {
  promptTokens: number;
  completionTokens: number;
}

/** A long draft has 4,000. A model that doesn't stop is stopped here, before the deadline. */
export const answerTokensUsual = 16_000;

export function sum(a: AiUsage, b: AiUsage): AiUsage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
}

const encoder = new TextEncoder();

/**
 * Estimates the tokens of a text, rather too many than too few: budgets use it until the provider reports the count.
 * English has four bytes a token, other languages and code fewer.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}
