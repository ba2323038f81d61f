/** What a page of differences shows: neighbours of one kind together, long unchanged stretches folded. */
import type { DiffBlock, DiffLines } from "#core/diff/schema.ts";

export type ChangeKind = "same" | "added" | "removed" | "changed" | "moved-from" | "moved-to";

export interface Group {
  kind: ChangeKind;
  html: string;
  /** Blocks in it. */
  size: number;
  folded: boolean;
}

/** Blocks of the text around a change that stay in sight. */
const context = 2;
/** Folding fewer than these hides what takes no room. */
const leastFolded = 3;

export function groupBlocks(blocks: readonly DiffBlock[]): Group[] {
  const runs: { kind: ChangeKind; html: string[] }[] = [];
  for (const block of blocks) {
    const kind = kindOf(block);
    const last = runs.at(-1);
    if (last?.kind === kind) last.html.push(block.html);
    else runs.push({ kind, html: [block.html] });
  }
  return runs.flatMap(({ kind, html }, index): Group[] => {
    if (kind !== "same") return [groupOf(kind, html)];
    const [head, middle, tail] = foldedParts(html, index > 0, index < runs.length - 1);
    return [groupOf(kind, head), { ...groupOf(kind, middle), folded: true }, groupOf(kind, tail)].filter(
      ({ size }) => size > 0,
    );
  });
}

function kindOf({ kind, place }: DiffBlock): ChangeKind {
  return kind === "moved" ? (place === "from" ? "moved-from" : "moved-to") : kind;
}

function groupOf(kind: ChangeKind, html: readonly string[]): Group {
  return { kind, html: html.join(""), size: html.length, folded: false };
}

/** What stays in sight after the change before, what is folded, what stays in sight before the change after. */
function foldedParts<T>(items: readonly T[], after: boolean, before: boolean): [T[], T[], T[]] {
  const head = after ? context : 0;
  const tail = before ? context : 0;
  // without any change there is nothing to fold for
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
    const [head, middle, tail] = foldedParts(lines, index > 0, index < parts.length - 1);
    return [
      { kind, lines: head, folded: false },
      { kind, lines: middle, folded: true },
      { kind, lines: tail, folded: false },
    ].filter((group) => group.lines.length > 0);
  });
}

/** How many blocks are of each kind; a moved block counts once. */
export function countChanges(blocks: readonly DiffBlock[]): Record<"added" | "removed" | "changed" | "moved", number> {
  const count = (wanted: ChangeKind): number => blocks.filter((block) => kindOf(block) === wanted).length;
  return { changed: count("changed"), added: count("added"), removed: count("removed"), moved: count("moved-to") };
}
