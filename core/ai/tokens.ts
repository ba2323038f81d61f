/** Tokens as the provider counts them, or an estimate if a provider, such as a local server, doesn't count. */
export interface AiUsage {
  promptTokens: number;
  completionTokens: number;
}

/** A long draft has 4,000 tokens. The limit stops a model that doesn't end its answer before the deadline. */
export const answerTokensUsual = 16_000;

export function addUsage(a: AiUsage, b: AiUsage): AiUsage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
}

const encoder = new TextEncoder();

/**
 * Estimates the tokens of a text, rather too many than too few. Budgets use it until the provider reports the count.
 * English has four bytes a token, other languages and code fewer.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}
