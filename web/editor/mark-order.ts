/** Which of two marks on the same words is the outer one: the editor's are a set, Markdown's are not. */
import type { Mark, Node } from "@milkdown/kit/prose/model";

/** Outer to inner where nothing else is known. */
export const nesting = ["link", "emphasis", "strong", "strike_through", "html_tag"];

/** As it was read, outer to inner. A node has its own array of marks, and text that is typed into it keeps the array. */
const originalOrder = new WeakMap<Node["marks"], readonly string[]>();

const bareLinks = new WeakSet<Mark>();

/** Remembers that the address of the link was written without marks, for as long as the editor keeps its mark. */
export function rememberBare(node: Node): void {
  for (const mark of node.marks) if (mark.type.name === "link") bareLinks.add(mark);
}

export function wasBare(link: Mark): boolean {
  return bareLinks.has(link);
}

/** @param outer the mark around what was remembered of the node before */
export function rememberNesting(node: Node, outer: string): void {
  originalOrder.set(node.marks, [outer, ...(originalOrder.get(node.marks) ?? [])]);
}

/** Whether `one` is outside of `other` on this node. */
export function isOuterMark(node: Node, one: Mark, other: Mark): boolean {
  const known = originalOrder.get(node.marks) ?? nesting;
  return known.indexOf(one.type.name) < known.indexOf(other.type.name);
}
