/** Tokens as the provider counts them; our estimate where it does not, as local servers may. */
export interface AiUsage {
  promptTokens: number;
  completionTokens: number;
}

export function sum(a: AiUsage, b: AiUsage): AiUsage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
  };
}

const encoder = new TextEncoder();

/**
 * About how many tokens a text is: more of them than less, since budgets are kept by it until the provider has counted.
 * English has four bytes to a token, other languages and code fewer.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}
