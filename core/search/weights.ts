/** The weight of a match by the part of the document that contains it. */
export const fieldWeights = { title: 8, description: 3, body: 1, words: 0.2 } as const;

const saturation = 1.2;
const lengthMatters = 0.75;

/**
 * @param rarity the inverse document frequency of the term
 * @param frequency the weighted frequency
 * @param relativeLength the length of the document, with 1 as the average
 */
export function bm25Weight(rarity: number, frequency: number, relativeLength: number): number {
  const damping = saturation * (1 - lengthMatters + lengthMatters * relativeLength);
  return (rarity * frequency * (saturation + 1)) / (frequency + damping);
}
