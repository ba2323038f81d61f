import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { AppError } from "#core/errors.ts";

export { eachNode } from "./each-node.ts";

const syntax = [gfm()];
const tree = [gfmFromMarkdown()];

/**
 * Parses a Markdown body (no front matter): CommonMark with GFM, the one dialect of every layer.
 * Throws `unprocessable` where the text nests deeper than the stack.
 */
export function parseMarkdown(body: string): Root {
  try {
    return fromMarkdown(body, { extensions: syntax, mdastExtensions: tree });
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", "The text is nested too deeply");
    throw error;
  }
}
