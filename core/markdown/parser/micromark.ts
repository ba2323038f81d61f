import type { Nodes, Root } from "mdast";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { frontmatter } from "micromark-extension-frontmatter";
import { remark } from "remark";
import remarkGfm from "remark-gfm";
import { textFile } from "../text-file.ts";
import { hasFrontMatter, type ParseOptions } from "./front-matter.ts";
import { alignQuotes } from "./quotes.ts";

const body = remark().use(remarkGfm).freeze();
const file = remark()
  .data({ micromarkExtensions: [frontmatter(["yaml"])], fromMarkdownExtensions: [frontmatterFromMarkdown(["yaml"])] })
  .use(remarkGfm)
  .freeze();

/**
 * CommonMark with GFM as a syntax tree. The browser's parser, and the oracle of the faster one (`native.ts`).
 * Throws `RangeError` where the text nests deeper than the stack.
 */
export function parse(text: string, { frontMatter }: ParseOptions): Root {
  const tree = (frontMatter && hasFrontMatter(text) ? file : body).parse(textFile(text));
  // bare addresses found after the parse have no position, and no other nodes
  if (/www\.|:\/\/|@/i.test(text)) placeIn(tree, tree);
  if (text.includes(">")) alignQuotes(tree);
  return tree;
}

/** A node without a position gets that of the node around it. */
function placeIn(node: Nodes, around: Nodes): void {
  if (!node.position && around.position) node.position = around.position;
  if ("children" in node) for (const child of node.children) placeIn(child, node);
}
