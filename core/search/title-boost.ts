/** Raises the score of a title that equals the query above that of its single words. */

export interface TitleMatch {
  /** The number of terms in the query. */
  terms: number;
  /** The number of these terms that the title contains. */
  found: number;
  /** The number of words in the title that have a meaning by themselves. */
  words: number;
}

/**
 * @returns the factor for a score: 1 if the title contains no word of the query, 6 if it contains exactly these words
 */
export function titleBoost({ terms, found, words }: TitleMatch): number {
  const share = found / Math.max(1, terms);
  const filled = Math.min(1, found / Math.max(1, words));
  return (share === 1 && filled === 1 ? 3 : 1) + 2 * share + share * filled;
}
