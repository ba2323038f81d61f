/** Compares two sequences of words and finds the places where words were replaced. */
import { diffArrays } from "diff";

export interface DiffStep {
  /** The index of the first word of the step in the first sequence; `removed` is the number of its words there. */
  at: number;
  removed: number;
  /** The index of the first word of the step in the second sequence; `added` is the number of its words there. */
  to: number;
  added: number;
  isEqual: boolean;
}

/**
 * Splits two sequences into steps of equal words and steps of replaced words. @returns undefined if more than
 * `editsAtMost` words differ, because the texts are then too different to list each difference
 */
export function stepsBetween(
  before: readonly string[],
  after: readonly string[],
  editsAtMost: number,
): DiffStep[] | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength: editsAtMost });
  if (parts === undefined) return undefined;
  const steps: DiffStep[] = [];
  let [at, to] = [0, 0];
  for (const { value, added = false, removed = false } of parts) {
    const isEqual = !added && !removed;
    const last = steps.at(-1);
    const length = { removed: added ? 0 : value.length, added: removed ? 0 : value.length };
    if (last !== undefined && !last.isEqual && !isEqual) {
      last.removed += length.removed;
      last.added += length.added;
    } else steps.push({ at, to, ...length, isEqual });
    at += length.removed;
    to += length.added;
  }
  return steps;
}

/** Shortens a text to at most 80 characters, for a note. */
export function shortenedForNote(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
