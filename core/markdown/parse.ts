import type { Root } from "mdast";
import { parse } from "#markdown-parser";
import { AppError } from "#core/errors.ts";
import { parseInParts } from "./parse-parts.ts";

export { eachNode } from "./each-node.ts";

/**
 * Parses a Markdown body (no front matter): CommonMark with GFM, the one dialect of every layer.
 * Throws `unprocessable` where the text nests deeper than the stack.
 */
export function parseMarkdown(body: string): Root {
  try {
    if (body.length < longText) return parseBody(body);
    const parts = parseInParts(body, parseBody);
    let step = parts.next();
    while (!step.done) step = parts.next();
    return step.value;
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", "The text is nested too deeply");
    throw error;
  }
}

/** Characters. micromark takes longer for each list the more there are before it, so longer texts are read in parts. */
const longText = 100_000;

function parseBody(body: string): Root {
  return parse(body, { frontMatter: false });
}
