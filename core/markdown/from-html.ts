import { toMdast } from "hast-util-to-mdast";
import type { Root as MarkdownRoot } from "mdast";
import { AppError } from "#core/errors.ts";
import { controlNotes } from "../text/clean-text.ts";
import { formatMarkdown, withoutReferences, writeTree } from "./format.ts";
import { cleanHtml, type CleanHtml } from "./html/clean.ts";
import { handlers } from "./html/handlers.ts";
import { tidyTree } from "./html/tidy-tree.ts";

export interface ConvertedHtml {
  /** In canonical form. */
  markdown: string;
  /** The lost and changed parts, one line each; empty when nothing was lost. */
  losses: string[];
}

/**
 * HTML as Markdown: cleaned, converted, formatted. Some allowed HTML has no Markdown (merged cells, lists in cells, sub,
 * sup, kbd, details) and stays as HTML. `losses` names the rest (`docs/spec/markdown.md`). Throws `unprocessable` for HTML
 * nested too deeply.
 */
export function htmlToMarkdown(html: string): ConvertedHtml {
  const { markdown, losses } = convertHtml(html);
  return { markdown, losses };
}

/** The same, with what a reader sees of the HTML, to compare the view of the Markdown with. */
export function convertHtml(html: string): ConvertedHtml & Pick<CleanHtml, "source" | "page"> {
  try {
    const { source, page, root, losses } = cleanHtml(html);
    const tree = toMdast(root, { document: true, handlers }) as MarkdownRoot;
    tidyTree(tree);
    const written = writeTree(tree);
    const notes = new Set(controlNotes(withoutReferences(written)).map(({ message }) => message));
    return { markdown: formatMarkdown(written), losses: [...losses.lines(), ...notes], source, page };
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", "The HTML is nested too deeply");
    throw error;
  }
}
