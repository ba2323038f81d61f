/** Two rows of words beside each other: the runs that are equal, and the places where words were replaced. */
import { diffArrays } from "diff";

export interface Step {
  /** The words of the first row: where they begin, and how many they are. */
  at: number;
  removed: number;
  /** The same in the second row. */
  to: number;
  added: number;
  isEqual: boolean;
}

/** @returns undefined if more than `editsAtMost` words differ: the rows are too different to name each place */
export function stepsBetween(
  before: readonly string[],
  after: readonly string[],
  editsAtMost: number,
): Step[] | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength: editsAtMost });
  if (parts === undefined) return undefined;
  const steps: Step[] = [];
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

/** At most 80 characters of a text, for a note. */
export function cut(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
