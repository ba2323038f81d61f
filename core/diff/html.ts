/** Compares two versions of a text as readers see them, block by block. */
import type { Element, ElementContent } from "hast";
import { writeHtml } from "../markdown/html-tree.ts";
import { blockPartOf, blockElementOf, parseRendered, diffPartsOf, type DiffPart } from "./parts.ts";
import { alignParts, type PartPair } from "./pairs.ts";
import type { DiffBlock } from "./schema.ts";
import { partWithDifferences, partWithMark } from "./tree.ts";

/**
 * Compares two rendered texts block by block; each list item is a block. Without the `del`, and without blocks removed
 * or moved `from`, the result reads as `after`. Without the `ins`, and without blocks added or moved `to`, it reads as
 * `before`.
 * @param before @param after sanitised HTML of `renderHtml`
 */
export function diffHtml(before: string, after: string): DiffBlock[] {
  const [old, now] = [diffBlocksOf(before), diffBlocksOf(after)];
  const steps = alignParts(
    old.map(({ part }) => part),
    now.map(({ part }) => part),
  );
  const shells = new Map([...old, ...now].map(({ part, shell }) => [part, shell]));
  const htmlOf = (part: DiffPart, nodes: ElementContent[]): string => {
    const shell = shells.get(part);
    return writeHtml(shell ? { ...shell, children: nodes } : nodes);
  };
  const moved = findMovedParts(steps);
  return steps.map((step): DiffBlock => {
    if (step.b === null) {
      const html = htmlOf(step.a, partWithMark(step.a, "del"));
      return moved.has(step.a) ? { kind: "moved", place: "from", html } : { kind: "removed", html };
    }
    if (step.a === null) {
      const html = htmlOf(step.b, partWithMark(step.b, "ins"));
      return moved.has(step.b) ? { kind: "moved", place: "to", html } : { kind: "added", html };
    }
    if (step.same) return { kind: "same", html: htmlOf(step.b, step.b.nodes) };
    const nodes = partWithDifferences(step.a, step.b);
    return { kind: nodes.some(hasDifferences) ? "changed" : "same", html: htmlOf(step.b, nodes) };
  });
}

/**
 * Tells whether a node contains `ins` or `del`. A block pair without such marks differs invisibly, for example in a
 * cell's alignment.
 */
function hasDifferences(node: ElementContent): boolean {
  if (node.type !== "element") return false;
  return node.tagName === "ins" || node.tagName === "del" || node.children.some(hasDifferences);
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

/** The minimum number of characters of a block that can count as moved. */
const leastMoved = 4;

/** Finds parts that were removed at one position and added unchanged at another. */
function findMovedParts(steps: readonly PartPair[]): Set<DiffPart> {
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
