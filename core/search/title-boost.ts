/** A title equal to the query is worth more than its single words. */

export interface TitleMatch {
  /** Terms of the question. */
  terms: number;
  /** Those of them that the title has. */
  found: number;
  /** Words of the title that mean something by themselves. */
  words: number;
}

/** @returns the factor of a score: 1 if the title has no word of the question, 6 if it has these words and no other */
export function titleBoost({ terms, found, words }: TitleMatch): number {
  const share = found / Math.max(1, terms);
  const filled = Math.min(1, found / Math.max(1, words));
  return (share === 1 && filled === 1 ? 3 : 1) + 2 * share + share * filled;
}
