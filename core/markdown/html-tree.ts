/** Parses HTML into a tree (hast) and writes it, with rehype. All layers use this parser and this writer. */
import type { Nodes, Root } from "hast";
import { rehype } from "rehype";
import { textFile } from "./text-file.ts";

const fragments = rehype().data("settings", { fragment: true }).freeze();

/** Parses the content of a page's body like a browser. Throws `RangeError` if it nests deeper than the stack. */
export function parseHtml(html: string): Root {
  return fragments.parse(html);
}

/**
 * Parses a whole page. The result has `html`, `head` and `body` even if the text omits them. Throws like `parseHtml`.
 */
export function parseHtmlPage(html: string): Root {
  return rehype.parse(html);
}

/** The HTML text of one node, or of several. */
export function writeHtml(nodes: Nodes | readonly Nodes[]): string {
  const tree = "type" in nodes ? nodes : { type: "root", children: nodes };
  return rehype.stringify(tree as Root, textFile());
}
