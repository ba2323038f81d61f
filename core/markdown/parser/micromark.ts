import type { Nodes, Root } from "mdast";
import { fromMarkdown, type Options } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm, ownMarks } from "./attention.ts";
import { hasFrontMatter, type ParseOptions } from "./front-matter.ts";
import { readOwnForms } from "./own-forms.ts";
import { alignQuotes } from "./quotes.ts";

const body: Options = { extensions: [gfm, ownMarks], mdastExtensions: [gfmFromMarkdown()] };
const file: Options = {
  extensions: [frontmatter(["yaml"]), gfm, ownMarks],
  mdastExtensions: [frontmatterFromMarkdown(["yaml"]), gfmFromMarkdown()],
};

/**
 * The browser's parser: what `remark.ts` does, without remark's writer and pipeline.
 * Throws `RangeError` where the text nests deeper than the stack.
 */
export function parse(text: string, { frontMatter }: ParseOptions): Root {
  return inOurDialect(fromMarkdown(text, frontMatter && hasFrontMatter(text) ? file : body), text);
}

/** Completes a tree of micromark: a position for each node, quotes and our own forms. */
export function inOurDialect(tree: Root, text: string): Root {
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
