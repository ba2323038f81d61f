// import this file alone, because the whole package would also run the code of four unused algorithms
import { diffArrays } from "diff/lib/diff/array.js";

/** The positions of one entry in the old and the new list. */
export type AlignedPair = readonly [number, number];

/**
 * The maximum number of edits in a range without unique keys. A range with more counts as rewritten, because further
 * matches would be chance.
 */
const mostEdits = 200;

/**
 * Matches equal keys of two lists in order: first at both ends, then keys that are unique on both sides (patience
 * diff), and between these by the shortest edit script. The time is almost linear for any input.
 */
export function alignKeys(before: readonly string[], after: readonly string[]): AlignedPair[] {
  const matches: AlignedPair[] = [];
  const open: UnalignedRange[] = [{ a: 0, aEnd: before.length, b: 0, bEnd: after.length }];
  for (let range = open.pop(); range; range = open.pop()) {
    const inner = trimCommonEnds(before, after, range, matches);
    if (inner.a === inner.aEnd || inner.b === inner.bEnd) continue;
    const anchors = uniqueAnchorsOf(before, after, inner);
    if (anchors.length === 0) alignByShortestEdit(before, after, inner, matches);
    else pushGapsBetweenAnchors(inner, anchors, matches, open);
  }
  return matches.toSorted(([a], [b]) => a - b);
}

interface UnalignedRange {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
}

function trimCommonEnds(
  before: readonly string[],
  after: readonly string[],
  range: UnalignedRange,
  matches: AlignedPair[],
): UnalignedRange {
  let { a, aEnd, b, bEnd } = range;
  while (a < aEnd && b < bEnd && before[a] === after[b]) matches.push([a++, b++]);
  while (a < aEnd && b < bEnd && before[aEnd - 1] === after[bEnd - 1]) matches.push([--aEnd, --bEnd]);
  return { a, aEnd, b, bEnd };
}

/** Finds keys that occur once on each side, as the longest sequence with the same order on both sides. */
function uniqueAnchorsOf(
  before: readonly string[],
  after: readonly string[],
  { a, aEnd, b, bEnd }: UnalignedRange,
): AlignedPair[] {
  const inAfter = indexesOfKeys(after, b, bEnd);
  const pairs: AlignedPair[] = [];
  for (const [key, at] of indexesOfKeys(before, a, aEnd)) {
    const other = inAfter.get(key) ?? -1;
    if (at >= 0 && other >= 0) pairs.push([at, other]);
  }
  return longestRisingPairs(pairs.toSorted(([x], [y]) => x - y));
}

/** Returns the index of each key; -1 for a repeated key. */
function indexesOfKeys(keys: readonly string[], start: number, end: number): Map<string, number> {
  const found = new Map<string, number>();
  for (let at = start; at < end; at++) {
    const key = keys[at] as string;
    found.set(key, found.has(key) ? -1 : at);
  }
  return found;
}

/** Returns the longest subsequence of `pairs` in which the second numbers also rise. */
function longestRisingPairs(pairs: readonly AlignedPair[]): AlignedPair[] {
  /** For each length, the index of the pair that ends the best sequence. */
  const ends: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, b], index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] as number] as AlignedPair)[1] < b) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  });
  const run: AlignedPair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] as number) run.push(pairs[at] as AlignedPair);
  return run.reverse();
}

function pushGapsBetweenAnchors(
  { a, aEnd, b, bEnd }: UnalignedRange,
  anchors: readonly AlignedPair[],
  matches: AlignedPair[],
  open: UnalignedRange[],
): void {
  let [i, j] = [a, b];
  for (const anchor of anchors) {
    open.push({ a: i, aEnd: anchor[0], b: j, bEnd: anchor[1] });
    matches.push(anchor);
    [i, j] = [anchor[0] + 1, anchor[1] + 1];
  }
  open.push({ a: i, aEnd, b: j, bEnd });
}

function alignByShortestEdit(
  before: readonly string[],
  after: readonly string[],
  { a, aEnd, b, bEnd }: UnalignedRange,
  matches: AlignedPair[],
): void {
  const changes = diffArrays(before.slice(a, aEnd), after.slice(b, bEnd), { maxEditLength: mostEdits });
  let [i, j] = [a, b];
  for (const { added, removed, count } of changes ?? []) {
    if (!added && !removed) for (let n = 0; n < count; n++) matches.push([i + n, j + n]);
    if (!added) i += count;
    if (!removed) j += count;
  }
}
