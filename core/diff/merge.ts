/**
 * Three-way merge of texts, line by line. A change on one side is taken; different changes on both sides are a
 * conflict.
 */
import { alignKeys, type AlignedPair } from "./align.ts";
import { linesWithEnds } from "./lines.ts";

export interface MergedText {
  text: string;
  /** The number of places where both sides changed the same lines to something else. */
  conflicts: number;
}

export interface SideNames {
  mine: string;
  theirs: string;
}

/**
 * Merges two texts that derive from `base`. If both sides changed the same lines, the versions of both are put between
 * `<<<<<<<`, `=======` and `>>>>>>>`, as in git.
 */
export function mergeTexts(base: string, mine: string, theirs: string, names: SideNames): MergedText {
  const [old, own, other] = [linesWithEnds(base), linesWithEnds(mine), linesWithEnds(theirs)];
  let text = "";
  let conflicts = 0;
  let [at, atOwn, atOther] = [0, 0, 0];
  const mergeUntil = (end: number, endOwn: number, endOther: number) => {
    const [was, a, b] = [old.slice(at, end), own.slice(atOwn, endOwn), other.slice(atOther, endOther)].map((lines) =>
      lines.join(""),
    ) as [string, string, string];
    if (a === b || b === was) text += a;
    else if (a === was) text += b;
    else {
      conflicts += 1;
      text += conflictBlock(a, b, names);
    }
  };
  for (const [i, j, k] of [...sharedLines(old, own, other), [old.length, own.length, other.length] as const]) {
    mergeUntil(i, j, k);
    text += old[i] ?? "";
    [at, atOwn, atOther] = [i + 1, j + 1, k + 1];
  }
  return { text, conflicts };
}

/** Returns both versions of a text between conflict markers, each ending with a line break. */
export function conflictBlock(mine: string, theirs: string, names: SideNames): string {
  return `<<<<<<< ${names.mine}\n${withFinalLineEnd(mine)}=======\n${withFinalLineEnd(theirs)}>>>>>>> ${names.theirs}\n`;
}

/** Tells whether a text still contains a marker of `mergeTexts`. */
export function hasConflictMarkers(text: string): boolean {
  return /^(?:<{7} .*|={7}|>{7} .*)$/m.test(text) && /^<{7} /m.test(text);
}

/** Finds lines of the base that are unchanged and in order on both sides. */
function sharedLines(old: readonly string[], own: readonly string[], other: readonly string[]) {
  const inOwn = new Map<number, number>(alignKeys(old, own).map(([i, j]: AlignedPair) => [i, j]));
  return alignKeys(old, other).flatMap(([i, k]) => {
    const j = inOwn.get(i);
    return j === undefined ? [] : [[i, j, k] as const];
  });
}

function withFinalLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
