import type { Root } from "mdast";
import { parse } from "#markdown-parser";
import { AppError } from "#core/errors.ts";
import { parseInParts } from "./parse-parts.ts";
import { refusals } from "./refusals.ts";

export { eachNode } from "./each-node.ts";

/**
 * Parses a Markdown body without front matter: CommonMark with GFM, the same dialect in every layer. Throws
 * `unprocessable` for a text that nests deeper than the stack.
 */
export function parseMarkdown(body: string): Root {
  try {
    if (body.length < longText) return parseBodyOnly(body);
    const parts = parseInParts(body, parseBodyOnly);
    let step = parts.next();
    while (!step.done) step = parts.next();
    return step.value;
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", refusals.nestedTooDeeply());
    throw error;
  }
}

/**
 * Longer texts (in characters) are parsed in parts, because micromark gets slower for each list with the number of
 * lists before it.
 */
const longText = 100_000;

function parseBodyOnly(body: string): Root {
  return parse(body, { frontMatter: false });
}
