/** Compares two sequences: finds removed, added and reordered entries. */
import { alignKeys } from "#core/diff/align.ts";
import type { MeaningChange } from "./change-kinds.ts";
import type { WordFact } from "./facts.ts";

export const tokenOfFact = ({ token }: WordFact): string => token;

/** Returns the removed, added and reordered entries of a sequence as changes. */
export function sequenceChanges<T extends { raw: string }>(
  old: readonly T[],
  now: readonly T[],
  keyOf: (one: T) => string,
  change: (old: T | undefined, now: T | undefined) => MeaningChange,
): MeaningChange[] {
  const inOrder = sequenceOrderChanges(old, now, keyOf);
  const [keys, nowKeys] = [old.map(keyOf), now.map(keyOf)];
  if (keys.toSorted().join("\u0000") === nowKeys.toSorted().join("\u0000")) return inOrder;
  const mapByKey = (list: readonly T[]) => new Map(list.map((one) => [keyOf(one), one]));
  const [known, nowKnown] = [mapByKey(old), mapByKey(now)];
  return differingRuns(keys, nowKeys).flatMap(({ gone, come }) =>
    pairByPosition(gone, come).map(([a, b]) =>
      change(a === undefined ? undefined : known.get(a), b === undefined ? undefined : nowKnown.get(b)),
    ),
  );
}

export function sequenceOrderChanges<T extends { raw: string }>(
  old: readonly T[],
  now: readonly T[],
  keyOf: (one: T) => string,
): MeaningChange[] {
  const [keys, nowKeys] = [old.map(keyOf), now.map(keyOf)];
  if (keys.join("\u0000") === nowKeys.join("\u0000")) return [];
  if (keys.toSorted().join("\u0000") !== nowKeys.toSorted().join("\u0000")) return [];
  const wordsText = (list: readonly T[]) => shortenedLine(list.map(({ raw }) => raw).join(", "));
  return [{ kind: "order", before: wordsText(old), after: wordsText(now) }];
}

export function factsOnlyInFirst(list: readonly WordFact[], other: readonly WordFact[]): WordFact[] {
  return surplusEntries(list, other, tokenOfFact);
}

/** Returns the entries that occur more often in `list` than in `other`. */
export function surplusEntries<T>(list: readonly T[], other: readonly T[], keyOf: (one: T) => string): T[] {
  const counts = new Map<string, number>();
  for (const one of other) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return list.filter((one) => {
    const count = counts.get(keyOf(one)) ?? 0;
    counts.set(keyOf(one), count - 1);
    return count <= 0;
  });
}

/** Finds the runs of words in which two lists differ. */
export function differingRuns(old: readonly string[], now: readonly string[]): { gone: string[]; come: string[] }[] {
  const found: { gone: string[]; come: string[] }[] = [];
  let [i, j] = [0, 0];
  for (const [a, b] of [...alignKeys(old, now), [old.length, now.length] as const]) {
    const run = { gone: old.slice(i, a), come: now.slice(j, b) };
    if (run.gone.length + run.come.length > 0) found.push(run);
    [i, j] = [a + 1, b + 1];
  }
  return found;
}

export function pairByPosition<T>(gone: readonly T[], come: readonly T[]): (readonly [T | undefined, T | undefined])[] {
  return Array.from({ length: Math.max(gone.length, come.length) }, (_, at) => [gone[at], come[at]] as const);
}

const longestText = 80;

export function shortenedLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= longestText ? line : `${line.slice(0, longestText - 1)}…`;
}
