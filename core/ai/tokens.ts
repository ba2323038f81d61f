const encoder = new TextEncoder();

/**
 * About how many tokens a text is: more of them than less, since budgets are kept by it until the provider has counted.
 * English has four bytes to a token, other languages and code fewer.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 3);
}
