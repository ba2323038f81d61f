import { alignKeys, type AlignedPair } from "./align.ts";
import { wordSimilarity, type DiffPart } from "./parts.ts";

/**
 * An entry of the merged list: a part of the old text, a part of the new text, or a pair of both (equal or reworded).
 */
export type PartPair =
  | { a: DiffPart; b: DiffPart; same: boolean }
  | { a: DiffPart; b: null }
  | { a: null; b: DiffPart };

/** The minimum share of common words of two versions of one part. Parts that share less are two different texts. */
const leastShared = 0.3;
/**
 * The maximum number of pairs that are all compared. Larger ranges are searched in halves, because reworded text stays
 * near its position.
 */
const mostPairs = 10_000;
/** The maximum number of parts of a range that is searched. All parts of a longer range count as removed and added. */
const longest = 4_000;

/**
 * Aligns two lists of parts: pairs of equal or reworded parts in order, and between them the other parts, removed ones
 * before added ones.
 */
export function alignParts(before: readonly DiffPart[], after: readonly DiffPart[]): PartPair[] {
  const steps: PartPair[] = [];
  const [rows, columns] = [before.length, after.length];
  const isSmall = rows * columns <= mostPairs;
  const anchors = isSmall
    ? []
    : alignKeys(
        before.map(({ key }) => key),
        after.map(({ key }) => key),
      );
  let [i, j] = [0, 0];
  for (const [a, b] of [...anchors, [rows, columns] as const]) {
    addMostSimilarPairs(before.slice(i, a), after.slice(j, b), steps);
    addPair(before[a], after[b], steps);
    [i, j] = [a + 1, b + 1];
  }
  return steps;
}

function addMostSimilarPairs(before: readonly DiffPart[], after: readonly DiffPart[], steps: PartPair[]): void {
  let [i, j] = [0, 0];
  for (const [a, b] of [...mostSimilarPairs(before, after), [before.length, after.length] as const]) {
    for (const part of before.slice(i, a)) steps.push({ a: part, b: null });
    for (const part of after.slice(j, b)) steps.push({ a: null, b: part });
    addPair(before[a], after[b], steps);
    [i, j] = [a + 1, b + 1];
  }
}

function addPair(a: DiffPart | undefined, b: DiffPart | undefined, steps: PartPair[]): void {
  if (a && b) steps.push({ a, b, same: a.key === b.key });
}

/** Finds the pairs with the greatest total similarity, in order on both sides. */
function mostSimilarPairs(before: readonly DiffPart[], after: readonly DiffPart[]): AlignedPair[] {
  const [rows, columns] = [before.length, after.length];
  if (rows === 0 || columns === 0 || Math.max(rows, columns) > longest) return [];
  if (rows * columns > mostPairs) return mostSimilarPairsInHalves(before, after);
  /** The best total score of pairs from each position to the end. */
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const bestFrom = (i: number, j: number): number => best[i]?.[j] ?? 0;
  const shared = before.map((a) => after.map((b) => (a.key === b.key ? 1.1 : wordSimilarity(a, b))));
  const gainOfPair = (i: number, j: number): number => {
    const share = shared[i]?.[j] ?? 0;
    return share < leastShared ? 0 : share + bestFrom(i + 1, j + 1);
  };
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      (best[i] as Float64Array)[j] = Math.max(gainOfPair(i, j), bestFrom(i + 1, j), bestFrom(i, j + 1));
    }
  }
  const pairs: AlignedPair[] = [];
  let [i, j] = [0, 0];
  while (i < rows && j < columns) {
    if (gainOfPair(i, j) > 0 && gainOfPair(i, j) === bestFrom(i, j)) pairs.push([i++, j++]);
    else if (bestFrom(i + 1, j) >= bestFrom(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

function mostSimilarPairsInHalves(before: readonly DiffPart[], after: readonly DiffPart[]): AlignedPair[] {
  const [a, b] = [before.length >> 1, after.length >> 1];
  const second = mostSimilarPairs(before.slice(a), after.slice(b));
  return [
    ...mostSimilarPairs(before.slice(0, a), after.slice(0, b)),
    ...second.map(([i, j]): AlignedPair => [i + a, j + b]),
  ];
}
