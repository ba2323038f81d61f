/** Merges two versions of a block into one, and marks whole blocks as added or removed. */
import type { Element, ElementContent } from "hast";
import { blockElementOf, isInlineNode, diffPartsOf, type DiffPart } from "./parts.ts";
import { pairParts, type PartPair } from "./pairs.ts";
import type { DiffMark } from "./marked.ts";
import { diffWords, markWords } from "./words.ts";

/** Returns the new version of a block, with the differences in `ins` and `del`. */
export function diffPart(before: DiffPart, after: DiffPart): ElementContent[] {
  const [old, now] = [blockElementOf(before), blockElementOf(after)];
  return old && now ? [diffElement(old, now)] : diffWords(before.nodes, after.nodes, false);
}

function diffElement(before: Element, after: Element): Element {
  if (before.children.every(isInlineNode) && after.children.every(isInlineNode)) {
    return { ...after, children: diffWords(before.children, after.children, after.tagName === "pre") };
  }
  const [old, now] = [diffPartsOf(before), diffPartsOf(after)];
  const inColumns = after.tagName === "tr" && old.length === now.length;
  const steps = inColumns ? now.map((b, at) => ({ a: old[at] as DiffPart, b, same: false })) : pairParts(old, now);
  return { ...after, children: steps.flatMap(mergedNodesOf) };
}

function mergedNodesOf(step: PartPair): ElementContent[] {
  if (step.b === null) return markPart(step.a, "del");
  if (step.a === null) return markPart(step.b, "ins");
  return step.same ? step.b.nodes : diffPart(step.a, step.b);
}

/** Returns the nodes of a part with all text in `ins` or `del`. */
export function markPart(part: DiffPart, mark: DiffMark): ElementContent[] {
  const element = blockElementOf(part);
  return element ? [markElement(element, mark)] : markWords(part.nodes, mark);
}

function markElement(element: Element, mark: DiffMark): Element {
  if (element.tagName === "hr") return { type: "element", tagName: mark, properties: {}, children: [element] };
  if (element.children.every(isInlineNode)) return { ...element, children: markWords(element.children, mark) };
  return { ...element, children: diffPartsOf(element).flatMap((part) => markPart(part, mark)) };
}
