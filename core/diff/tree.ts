/** Merges two versions of a block into one, and marks whole blocks as added or removed. */
import type { Element, ElementContent } from "hast";
import { blockElementOf, isInlineNode, diffPartsOf, type DiffPart } from "./parts.ts";
import { alignParts, type PartPair } from "./pairs.ts";
import type { DiffMark } from "./marked.ts";
import { wordsWithDifferences, wordsWithMark } from "./words.ts";

/** Returns the new version of a block, with the differences in `ins` and `del`. */
export function partWithDifferences(before: DiffPart, after: DiffPart): ElementContent[] {
  const [old, now] = [blockElementOf(before), blockElementOf(after)];
  return old && now ? [elementWithDifferences(old, now)] : wordsWithDifferences(before.nodes, after.nodes, false);
}

function elementWithDifferences(before: Element, after: Element): Element {
  if (before.children.every(isInlineNode) && after.children.every(isInlineNode)) {
    return { ...after, children: wordsWithDifferences(before.children, after.children, after.tagName === "pre") };
  }
  const [old, now] = [diffPartsOf(before), diffPartsOf(after)];
  const inColumns = after.tagName === "tr" && old.length === now.length;
  const steps = inColumns ? now.map((b, at) => ({ a: old[at] as DiffPart, b, same: false })) : alignParts(old, now);
  return { ...after, children: steps.flatMap(mergedNodesOf) };
}

function mergedNodesOf(step: PartPair): ElementContent[] {
  if (step.b === null) return partWithMark(step.a, "del");
  if (step.a === null) return partWithMark(step.b, "ins");
  return step.same ? step.b.nodes : partWithDifferences(step.a, step.b);
}

/** Returns the nodes of a part with all their content in `ins` or `del`. */
export function partWithMark(part: DiffPart, mark: DiffMark): ElementContent[] {
  const element = blockElementOf(part);
  return element ? [elementWithMark(element, mark)] : wordsWithMark(part.nodes, mark);
}

function elementWithMark(element: Element, mark: DiffMark): Element {
  if (element.tagName === "hr") return { type: "element", tagName: mark, properties: {}, children: [element] };
  if (element.children.every(isInlineNode)) return { ...element, children: wordsWithMark(element.children, mark) };
  return { ...element, children: diffPartsOf(element).flatMap((part) => partWithMark(part, mark)) };
}
