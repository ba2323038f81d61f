import type { Nodes } from "mdast";

/** Calls `visitor` for every node, parents first, in the order of the text. */
export function eachNode(node: Nodes, visitor: (node: Nodes, parents: readonly Nodes[]) => void): void {
  const parents: Nodes[] = [];
  const walk = (at: Nodes): void => {
    visitor(at, parents);
    if (!("children" in at)) return;
    parents.push(at);
    for (const child of at.children) walk(child);
    parents.pop();
  };
  walk(node);
}
