/** Compares two versions of a text as readers see them, block by block. */
import type { Element, ElementContent } from "hast";
import { writeHtml } from "../markdown/html-tree.ts";
import { blockPartOf, blockElementOf, parseRendered, diffPartsOf, type DiffPart } from "./parts.ts";
import { pairParts, type PartPair } from "./pairs.ts";
import type { DiffBlock } from "./schema.ts";
import { diffPart, markPart } from "./tree.ts";

/**
 * The differences between two rendered texts. Blocks are the top-level parts of a text, and each item of a list: a step
 * is added, removed, reworded or moved. The HTML has nothing beyond `before` and `after` but `ins` and `del` (and `s`
 * for text that was struck out already). Without the `del`, and without blocks removed or moved `from`, it reads as
 * `after`. Without the `ins`, and without blocks added or moved `to`, it reads as `before`.
 * @param before @param after sanitised HTML of `renderHtml`
 */
export function diffHtml(before: string, after: string): DiffBlock[] {
  const [old, now] = [diffBlocksOf(before), diffBlocksOf(after)];
  const steps = pairParts(
    old.map(({ part }) => part),
    now.map(({ part }) => part),
  );
  const shells = new Map([...old, ...now].map(({ part, shell }) => [part, shell]));
  const htmlOf = (part: DiffPart, nodes: ElementContent[]): string => {
    const shell = shells.get(part);
    return writeHtml(shell ? { ...shell, children: nodes } : nodes);
  };
  const moved = movedParts(steps);
  return steps.map((step): DiffBlock => {
    if (step.b === null) {
      const html = htmlOf(step.a, markPart(step.a, "del"));
      return moved.has(step.a) ? { kind: "moved", place: "from", html } : { kind: "removed", html };
    }
    if (step.a === null) {
      const html = htmlOf(step.b, markPart(step.b, "ins"));
      return moved.has(step.b) ? { kind: "moved", place: "to", html } : { kind: "added", html };
    }
    if (step.same) return { kind: "same", html: htmlOf(step.b, step.b.nodes) };
    const nodes = diffPart(step.a, step.b);
    return { kind: nodes.some(hasMarks) ? "changed" : "same", html: htmlOf(step.b, nodes) };
  });
}

/** Two texts can differ invisibly, for example in a cell's alignment. Only their Markdown shows the difference. */
function hasMarks(node: ElementContent): boolean {
  if (node.type !== "element") return false;
  return node.tagName === "ins" || node.tagName === "del" || node.children.some(hasMarks);
}

interface PartWithShell {
  part: DiffPart;
  /** The list that contains the item. */
  shell: Element | null;
}

function diffBlocksOf(html: string): PartWithShell[] {
  return diffPartsOf(parseRendered(html)).flatMap((part): PartWithShell[] => {
    const list = blockElementOf(part);
    if (!list || (list.tagName !== "ol" && list.tagName !== "ul")) return [{ part, shell: null }];
    const first = Number(list.properties["start"] ?? 1);
    const items = list.children.filter((child): child is Element => child.type === "element");
    return items.map((item, index) => {
      const numbered = list.tagName === "ol" ? { ...list.properties, start: first + index } : list.properties;
      return { part: blockPartOf(item, `${list.tagName} li`), shell: { ...list, properties: numbered, children: [] } };
    });
  });
}

/** A block with fewer characters is too short to count as moved. */
const leastMoved = 4;

/** Parts that were removed at one place and added unchanged at another. */
function movedParts(steps: readonly PartPair[]): Set<DiffPart> {
  const went = new Map<string, DiffPart[]>();
  for (const { a, b } of steps) {
    if (b !== null || a.text.trim().length < leastMoved) continue;
    const same = went.get(a.key);
    if (same === undefined) went.set(a.key, [a]);
    else same.push(a);
  }
  const moved = new Set<DiffPart>();
  for (const { a, b } of steps) {
    const from = a === null ? went.get(b.key)?.shift() : undefined;
    if (a === null && from) moved.add(from).add(b);
  }
  return moved;
}
