import type { Nodes, Root } from "mdast";
import { fromMarkdown, type Options } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { dialect } from "./attention.ts";
import { hasFrontMatter, type ParseOptions } from "./front-matter.ts";
import { readOwnForms } from "./own-forms.ts";
import { alignQuotes } from "./quotes.ts";

const body: Options = { extensions: dialect, mdastExtensions: [gfmFromMarkdown()] };
const file: Options = {
  extensions: [frontmatter(["yaml"]), ...dialect],
  mdastExtensions: [frontmatterFromMarkdown(["yaml"]), gfmFromMarkdown()],
};

/**
 * CommonMark with GFM as a syntax tree, in our dialect (`docs/spec/markdown.md`). The browser's parser, and the oracle of the faster one (`native.ts`).
 * Throws `RangeError` where the text nests deeper than the stack.
 */
export function parse(text: string, { frontMatter }: ParseOptions): Root {
  const tree = fromMarkdown(text, frontMatter && hasFrontMatter(text) ? file : body);
  // bare addresses found after the parse have no position, and no other nodes
  if (/www\.|:\/\/|@/i.test(text)) placeIn(tree, tree);
  if (text.includes(">")) alignQuotes(tree);
  readOwnForms(tree, text);
  return tree;
}

/** A node without a position gets that of the node around it. */
function placeIn(node: Nodes, around: Nodes): void {
  if (!node.position && around.position) node.position = around.position;
  if ("children" in node) for (const child of node.children) placeIn(child, node);
}
