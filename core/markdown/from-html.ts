import type { Root as HtmlRoot } from "hast";
import { sanitize } from "hast-util-sanitize";
import { toMdast } from "hast-util-to-mdast";
import type { Root } from "mdast";
import { AppError } from "#core/errors.ts";
import { formatMarkdown, writeTree } from "./format.ts";
import { parseHtml } from "./html-tree.ts";
import { handlers } from "./html/handlers.ts";
import { findLosses } from "./html/losses.ts";
import { prepare } from "./html/prepare.ts";
import { inputSchema } from "./html/schema.ts";
import { tidyTree } from "./html/tidy-tree.ts";

export interface ConvertedHtml {
  /** In canonical form. */
  markdown: string;
  /** The lost parts, one line each; empty when nothing was lost. */
  losses: string[];
}

/**
 * HTML as Markdown: parsed, sanitised, converted, formatted. Some allowed HTML has no Markdown (merged cells, sub, sup,
 * kbd, details) and stays as HTML. `losses` names the rest (`docs/spec/markdown.md`). Throws `unprocessable` for HTML
 * nested too deeply.
 */
export function htmlToMarkdown(html: string): ConvertedHtml {
  try {
    const parsed = parseHtml(html);
    const losses = findLosses(parsed);
    const safe = sanitize(parsed, inputSchema) as HtmlRoot;
    prepare(safe, losses);
    const tree = toMdast(safe, { document: true, handlers }) as Root;
    tidyTree(tree);
    return { markdown: formatMarkdown(writeTree(tree)), losses: losses.lines() };
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", "The HTML is nested too deeply");
    throw error;
  }
}
