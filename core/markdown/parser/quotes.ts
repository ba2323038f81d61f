import type { List, ListItem, Nodes } from "mdast";

/**
 * Removes differences between the trees of both parsers in quotes. micromark calls a list tight after a nested list,
 * and the native parser after a quote in a list. The native parser also leaves quote marks in labels of several lines.
 */
export function alignQuotes(node: Nodes, inQuote = false): void {
  // a line of a paragraph can't begin with `>`, which would open another quote
  if (inQuote && (node.type === "linkReference" || node.type === "imageReference")) {
    node.label = node.label?.replace(/\n[ \t>]*/g, "\n") ?? null;
  }
  if (!("children" in node) || (!inQuote && withoutQuotes.has(node.type))) return;
  for (const child of node.children) alignQuotes(child, inQuote || node.type === "blockquote");
  if (inQuote && (node.type === "list" || node.type === "listItem")) node.spread = hasBlankLine(node);
}

const withoutQuotes = new Set<Nodes["type"]>(["paragraph", "heading", "table"]);

function hasBlankLine({ children }: List | ListItem): boolean {
  return children.some((child, index) => {
    const above = children[index - 1];
    return above !== undefined && lineOfNode(child, "start") - lineOfNode(lastInnerBlock(above), "end") > 1;
  });
}

/** Returns the last block inside a node. A list item may end with blank lines, but its last block doesn't. */
function lastInnerBlock(node: Nodes): Nodes {
  const last = "children" in node ? node.children.at(-1) : undefined;
  return last && node.type !== "paragraph" && node.type !== "heading" ? lastInnerBlock(last) : node;
}

function lineOfNode(node: Nodes, side: "start" | "end"): number {
  return node.position?.[side].line ?? 0;
}
