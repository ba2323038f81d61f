import type { MessageWithId } from "#core/language/catalog.ts";
import { toMdast } from "hast-util-to-mdast";
import type { Root as MarkdownRoot } from "mdast";
import { AppError } from "#core/errors.ts";
import { cleaningNotes } from "./clean-markdown.ts";
import { formatMarkdown, writeTree } from "./format.ts";
import { cleanHtml, type CleanHtml } from "./html/clean.ts";
import { handlers } from "./html/handlers.ts";
import { tidyTree } from "./html/tidy-tree.ts";
import { refusals } from "./refusals.ts";

export interface ConvertedHtml {
  /** The Markdown in canonical form. */
  markdown: string;
  /** The lost and changed parts, one line each; empty when nothing was lost. */
  losses: string[];
}

/**
 * Converts HTML into Markdown: it is cleaned, converted and formatted. Some allowed HTML has no Markdown (merged cells,
 * lists in cells, sub, sup, kbd, details) and stays HTML. `losses` names everything else that was lost
 * (`docs/spec/markdown.md`). Throws `unprocessable` for HTML nested too deeply.
 */
export function htmlToMarkdown(html: string): ConvertedHtml {
  const { markdown, losses } = convertHtml(html);
  return { markdown, losses: losses.map(({ text }) => text) };
}

/**
 * Like `htmlToMarkdown`, and also returns what a reader sees of the HTML, for a comparison with the view of the
 * Markdown.
 */
export function convertHtml(
  html: string,
): Pick<CleanHtml, "source" | "page"> & { markdown: string; losses: MessageWithId[] } {
  try {
    const { source, page, root, losses } = cleanHtml(html);
    const tree = toMdast(root, { document: true, handlers }) as MarkdownRoot;
    tidyTree(tree);
    const written = writeTree(tree);
    const notes = new Map(cleaningNotes(written).map(({ sentence }) => [sentence.text, sentence]));
    return { markdown: formatMarkdown(written), losses: [...losses.lines(), ...notes.values()], source, page };
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", refusals.htmlNestedTooDeeply());
    throw error;
  }
}
