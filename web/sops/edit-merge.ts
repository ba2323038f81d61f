/** Loaded with the conflict panel: what differs, and both changes in one text where they don't touch. */
import { applyPatch, diffLines, structuredPatch } from "diff";

export interface DiffLine {
  text: string;
  kind: "same" | "mine" | "theirs";
}

/** Line by line, the server's text first. */
export function compareTexts(theirs: string, mine: string): DiffLine[] {
  return diffLines(theirs, mine).flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((text) => ({ text, kind: added ? ("mine" as const) : removed ? ("theirs" as const) : ("same" as const) })),
  );
}

/** My changes to `base`, made to `theirs`; null where both changed the same place. */
export function mergeTexts(base: string, mine: string, theirs: string): string | null {
  if (mine === base) return theirs;
  if (theirs === base || theirs === mine) return mine;
  const merged = applyPatch(theirs, structuredPatch("base", "mine", base, mine, undefined, undefined, { context: 2 }), {
    fuzzFactor: 0,
  });
  return merged === false ? null : merged;
}
