/** Merges two versions of a sequence of tokens into one. Each token is marked as removed, added or kept. */
import { alignKeys } from "./align.ts";

export type DiffMark = "ins" | "del";

export interface MarkedToken<T> {
  token: T;
  /** Null for a token in both versions. */
  mark: DiffMark | null;
}

/**
 * Merges two versions of a sequence. A token in both versions is taken from the new one. @param keyOf returns equal
 * keys for tokens that count as the same
 */
export function mergedTokens<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (token: T) => string,
): MarkedToken<T>[] {
  const found: MarkedToken<T>[] = [];
  let [i, j] = [0, 0];
  for (const [a, b] of [...alignKeys(before.map(keyOf), after.map(keyOf)), [before.length, after.length] as const]) {
    for (const token of before.slice(i, a)) found.push({ token, mark: "del" });
    for (const token of after.slice(j, b)) found.push({ token, mark: "ins" });
    const token = a < before.length ? after[b] : undefined;
    if (token !== undefined) found.push({ token, mark: null });
    [i, j] = [a + 1, b + 1];
  }
  return found;
}

/**
 * Joins changes with only a space or punctuation between them into one change: first all removed text, then all added
 * text.
 * @param hasContent whether a token has content: not just a space or a mark
 */
export function withJoinedNeighborChanges<T>(
  merged: readonly MarkedToken<T>[],
  hasContent: (token: T) => boolean,
): MarkedToken<T>[] {
  const found: MarkedToken<T>[] = [];
  let pending: MarkedToken<T>[] = [];
  const flushChanges = (): void => {
    const end = pending.findLastIndex(({ mark }) => mark !== null) + 1;
    const changed = pending.slice(0, end);
    for (const { token, mark } of changed) if (mark !== "ins") found.push({ token, mark: "del" });
    for (const { token, mark } of changed) if (mark !== "del") found.push({ token, mark: "ins" });
    for (const kept of pending.slice(end)) found.push(kept);
    pending = [];
  };
  for (const item of merged) {
    if (item.mark !== null || (pending.length > 0 && !hasContent(item.token))) pending.push(item);
    else {
      flushChanges();
      found.push(item);
    }
  }
  flushChanges();
  return found;
}

/** Groups neighboring items with equal keys. */
export function groupNeighbors<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups: T[][] = [];
  let last: string | undefined;
  for (const item of items) {
    const key = keyOf(item);
    if (key === last) groups.at(-1)?.push(item);
    else groups.push([item]);
    last = key;
  }
  return groups;
}
