import type { Root } from "mdast";
import { remark } from "remark";
import remarkGfm from "remark-gfm";
import { AppError } from "#core/errors.ts";
import { textFile } from "./text-file.ts";

export { eachNode } from "./each-node.ts";

const dialect = remark().use(remarkGfm).freeze();

/**
 * Parses a Markdown body (no front matter): CommonMark with GFM, the one dialect of every layer.
 * Throws `unprocessable` where the text nests deeper than the stack.
 */
export function parseMarkdown(body: string): Root {
  try {
    return dialect.parse(textFile(body));
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", "The text is nested too deeply");
    throw error;
  }
}
