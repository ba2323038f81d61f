import { alignKeys } from "./align.ts";
import type { DiffLines } from "./schema.ts";

/** Compares the Markdown of two versions line by line. Removed lines come before the lines that replace them. */
export function diffLines(before: string, after: string): DiffLines[] {
  const [old, now] = [linesWithEnds(before), linesWithEnds(after)];
  const found: DiffLines[] = [];
  const addLines = (kind: DiffLines["kind"], lines: readonly string[]): void => {
    if (lines.length === 0) return;
    const last = found.at(-1);
    if (last?.kind === kind) last.text += lines.join("");
    else found.push({ kind, text: lines.join("") });
  };
  let [i, j] = [0, 0];
  for (const [a, b] of [...alignKeys(old, now), [old.length, now.length] as const]) {
    addLines("removed", old.slice(i, a));
    addLines("added", now.slice(j, b));
    addLines("same", old.slice(a, a + 1));
    [i, j] = [a + 1, b + 1];
  }
  return found;
}

/** Splits a text into lines, each with its line break. */
export function linesWithEnds(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
