/**
 * Decides which of two marks on the same words is the outer one. The editor has a set of marks, Markdown nests them.
 */
import type { Mark, Node } from "@milkdown/kit/prose/model";

/** The default order, from outer to inner. */
export const defaultNesting = ["link", "emphasis", "strong", "strike_through", "html_tag"];

/**
 * The order of a node's marks in the Markdown, from outer to inner. Each node has its own array of marks, which text
 * typed in it keeps.
 */
const originalOrder = new WeakMap<Node["marks"], readonly string[]>();

const bareLinks = new WeakSet<Mark>();

/** Remembers that a link's address was written without brackets, for as long as the editor keeps its mark. */
export function rememberBareLinks(node: Node): void {
  for (const mark of node.marks) if (mark.type.name === "link") bareLinks.add(mark);
}

export function isBareLinkMark(link: Mark): boolean {
  return bareLinks.has(link);
}

/**
 * Remembers one more outer mark of a node.
 * @param outer the mark around those already remembered for the node
 */
export function rememberNesting(node: Node, outer: string): void {
  originalOrder.set(node.marks, [outer, ...(originalOrder.get(node.marks) ?? [])]);
}

/** Says whether `one` is outside of `other` on this node. */
export function isOuterMark(node: Node, one: Mark, other: Mark): boolean {
  const known = originalOrder.get(node.marks) ?? defaultNesting;
  return known.indexOf(one.type.name) < known.indexOf(other.type.name);
}
