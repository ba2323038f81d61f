/** Groups neighboring changes of the same kind and collapses long unchanged parts. */
import type { DiffBlock, DiffLines } from "#core/diff/schema.ts";

export type DiffGroupKind = "same" | "added" | "removed" | "changed" | "moved-from" | "moved-to";

export interface DiffGroup {
  kind: DiffGroupKind;
  html: string;
  /** The number of blocks in the group. */
  size: number;
  folded: boolean;
}

/** The number of unchanged blocks or lines shown before and after a change. */
const shownBesideChange = 2;
/** The minimum number of unchanged blocks or lines to collapse. Collapsing fewer would save no room. */
const leastFolded = 3;

export function groupBlocks(blocks: readonly DiffBlock[]): DiffGroup[] {
  const runs: { kind: DiffGroupKind; html: string[] }[] = [];
  for (const block of blocks) {
    const kind = diffBlockKindOf(block);
    const last = runs.at(-1);
    if (last?.kind === kind) last.html.push(block.html);
    else runs.push({ kind, html: [block.html] });
  }
  return runs.flatMap(({ kind, html }, index): DiffGroup[] => {
    if (kind !== "same") return [diffGroupOf(kind, html)];
    const [head, middle, tail] = splitUnchanged(html, index > 0, index < runs.length - 1);
    return [diffGroupOf(kind, head), { ...diffGroupOf(kind, middle), folded: true }, diffGroupOf(kind, tail)].filter(
      ({ size }) => size > 0,
    );
  });
}

function diffBlockKindOf({ kind, place }: DiffBlock): DiffGroupKind {
  return kind === "moved" ? (place === "from" ? "moved-from" : "moved-to") : kind;
}

function diffGroupOf(kind: DiffGroupKind, html: readonly string[]): DiffGroup {
  return { kind, html: html.join(""), size: html.length, folded: false };
}

/**
 * Splits unchanged items into those shown after the previous change, the collapsed ones, and those shown before the
 * next change.
 */
function splitUnchanged<T>(items: readonly T[], after: boolean, before: boolean): [T[], T[], T[]] {
  const head = after ? shownBesideChange : 0;
  const tail = before ? shownBesideChange : 0;
  // Without any change, all items are shown.
  if (!after && !before) return [[...items], [], []];
  if (items.length < head + tail + leastFolded) return [[...items], [], []];
  return [items.slice(0, head), items.slice(head, items.length - tail), items.slice(items.length - tail)];
}

export interface LineGroup {
  kind: DiffLines["kind"];
  lines: string[];
  folded: boolean;
}

export function groupLines(parts: readonly DiffLines[]): LineGroup[] {
  return parts.flatMap(({ kind, text }, index): LineGroup[] => {
    const lines = text.replace(/\n$/, "").split("\n");
    if (kind !== "same") return [{ kind, lines, folded: false }];
    const [head, middle, tail] = splitUnchanged(lines, index > 0, index < parts.length - 1);
    return [
      { kind, lines: head, folded: false },
      { kind, lines: middle, folded: true },
      { kind, lines: tail, folded: false },
    ].filter((group) => group.lines.length > 0);
  });
}

/** Counts blocks by kind. A moved block counts once. */
export function countBlocksByKind(
  blocks: readonly DiffBlock[],
): Record<"added" | "removed" | "changed" | "moved", number> {
  const countOf = (wanted: DiffGroupKind): number => blocks.filter((block) => diffBlockKindOf(block) === wanted).length;
  return {
    changed: countOf("changed"),
    added: countOf("added"),
    removed: countOf("removed"),
    moved: countOf("moved-to"),
  };
}
