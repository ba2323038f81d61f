/** Writes two versions of a block as one, and marks whole blocks. */
import type { Element, ElementContent } from "hast";
import { elementOf, isInline, partsOf, type Part } from "./parts.ts";
import { pairParts, type Step } from "./pairs.ts";
import type { Mark } from "./marked.ts";
import { diffWords, markWords } from "./words.ts";

/** The new version of the block, with the differences in `ins` and `del`. */
export function diffPart(before: Part, after: Part): ElementContent[] {
  const [old, now] = [elementOf(before), elementOf(after)];
  return old && now ? [diffElement(old, now)] : diffWords(before.nodes, after.nodes, false);
}

function diffElement(before: Element, after: Element): Element {
  if (before.children.every(isInline) && after.children.every(isInline)) {
    return { ...after, children: diffWords(before.children, after.children, after.tagName === "pre") };
  }
  const [old, now] = [partsOf(before), partsOf(after)];
  const inColumns = after.tagName === "tr" && old.length === now.length;
  const steps = inColumns ? now.map((b, at) => ({ a: old[at] as Part, b, same: false })) : pairParts(old, now);
  return { ...after, children: steps.flatMap(mergedOf) };
}

function mergedOf(step: Step): ElementContent[] {
  if (step.b === null) return markPart(step.a, "del");
  if (step.a === null) return markPart(step.b, "ins");
  return step.same ? step.b.nodes : diffPart(step.a, step.b);
}

/** The part with all its text marked. */
export function markPart(part: Part, mark: Mark): ElementContent[] {
  const element = elementOf(part);
  return element ? [markElement(element, mark)] : markWords(part.nodes, mark);
}

function markElement(element: Element, mark: Mark): Element {
  if (element.tagName === "hr") return { type: "element", tagName: mark, properties: {}, children: [element] };
  if (element.children.every(isInline)) return { ...element, children: markWords(element.children, mark) };
  return { ...element, children: partsOf(element).flatMap((part) => markPart(part, mark)) };
}
