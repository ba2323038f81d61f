import type { Nodes, Root } from "mdast";
import { fromMarkdown, type Options } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm, ownMarks } from "./attention.ts";
import { hasFrontMatter, type ParseOptions } from "./front-matter.ts";
import { readDialectForms } from "./own-forms.ts";
import { alignQuotes } from "./quotes.ts";

const body: Options = { extensions: [gfm, ownMarks], mdastExtensions: [gfmFromMarkdown()] };
const file: Options = {
  extensions: [frontmatter(["yaml"]), gfm, ownMarks],
  mdastExtensions: [frontmatterFromMarkdown(["yaml"]), gfmFromMarkdown()],
};

/**
 * The browser's parser. It gives the trees of `remark.ts` without remark's writer and pipeline. Throws `RangeError` for
 * a text that nests deeper than the stack.
 */
export function parse(text: string, { frontMatter }: ParseOptions): Root {
  return completeDialectTree(fromMarkdown(text, frontMatter && hasFrontMatter(text) ? file : body), text);
}

/** Completes a tree of micromark: adds missing positions, aligns quotes, and reads the dialect's own forms. */
export function completeDialectTree(tree: Root, text: string): Root {
  // bare addresses are found after the parse, and are the only nodes without a position
  if (/www\.|:\/\/|@/i.test(text)) inheritPosition(tree, tree);
  if (text.includes(">")) alignQuotes(tree);
  readDialectForms(tree, text);
  return tree;
}

/** Gives a node without a position the position of the node around it. */
function inheritPosition(node: Nodes, around: Nodes): void {
  if (!node.position && around.position) node.position = around.position;
  if ("children" in node) for (const child of node.children) inheritPosition(child, node);
}
