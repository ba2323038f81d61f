/** HTML as a tree (hast) and back, by rehype: the one reader and the one writer of every layer. */
import type { Nodes, Root } from "hast";
import { rehype } from "rehype";
import { textFile } from "./text-file.ts";

const fragments = rehype().data("settings", { fragment: true }).freeze();

/** The content of a page's body, as a browser parses it. Throws `RangeError` if it nests deeper than the stack. */
export function parseHtml(html: string): Root {
  return fragments.parse(html);
}

/** A whole page: `html`, `head` and `body` are there even if the text leaves them out. Throws as `parseHtml` does. */
export function parseHtmlPage(html: string): Root {
  return rehype.parse(html);
}

/** The HTML text of a node, or of several in a row. */
export function writeHtml(nodes: Nodes | readonly Nodes[]): string {
  const tree = "type" in nodes ? nodes : { type: "root", children: nodes };
  return rehype.stringify(tree as Root, textFile());
}
