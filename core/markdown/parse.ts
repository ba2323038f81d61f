import type { Root } from "mdast";
import { parse } from "#markdown-parser";
import { AppError } from "#core/errors.ts";

export { eachNode } from "./each-node.ts";

/**
 * Parses a Markdown body (no front matter): CommonMark with GFM, the one dialect of every layer.
 * Throws `unprocessable` where the text nests deeper than the stack.
 */
export function parseMarkdown(body: string): Root {
  try {
    return parse(body, { frontMatter: false });
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", "The text is nested too deeply");
    throw error;
  }
}
