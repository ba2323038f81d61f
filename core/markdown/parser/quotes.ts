import type { List, ListItem, Nodes } from "mdast";

/**
 * Makes the trees of both parsers the same in quotes. micromark takes a list for tight after a list in a list, and the
 * native parser after a quote in a list. The native one also leaves the marks of the quote in labels of several lines.
 */
export function alignQuotes(node: Nodes, inQuote = false): void {
  // a line of a paragraph can't begin with `>`: it would be a quote of its own
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
    return above !== undefined && lineOf(child, "start") - lineOf(lastIn(above), "end") > 1;
  });
}

/** An item may end below the blank lines that follow it. The last block in it does not. */
function lastIn(node: Nodes): Nodes {
  const last = "children" in node ? node.children.at(-1) : undefined;
  return last && node.type !== "paragraph" && node.type !== "heading" ? lastIn(last) : node;
}

function lineOf(node: Nodes, side: "start" | "end"): number {
  return node.position?.[side].line ?? 0;
}
