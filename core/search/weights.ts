/** The weight of a match by its place. */
export const fieldWeights = { title: 8, description: 3, body: 1, words: 0.2 } as const;

const saturation = 1.2;
const lengthMatters = 0.75;

/**
 * @param rarity of the term, its inverse document frequency
 * @param frequency weighted
 * @param relativeLength of the document, 1 being the average
 */
export function bm25(rarity: number, frequency: number, relativeLength: number): number {
  const damping = saturation * (1 - lengthMatters + lengthMatters * relativeLength);
  return (rarity * frequency * (saturation + 1)) / (frequency + damping);
}
