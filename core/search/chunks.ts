/** A text in the pieces that search answers with: steps, other list items, table rows, paragraphs, each under its heading. */
import GithubSlugger from "github-slugger";
import type { ListItem, Root, RootContent } from "mdast";
import { toString as headingText } from "mdast-util-to-string";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import { idPrefix } from "#core/markdown/sanitise-schema.ts";

export interface Chunk {
  /** Id of the heading above, as `renderHtml` writes it; null before the first. */
  anchor: string | null;
  /** That heading's text. */
  heading: string | null;
  /** The number of a step, as shown: "3"; null elsewhere. */
  step: string | null;
  /** Without marks, one line. The text of a heading's own chunk is empty. */
  text: string;
}

/** Headings come as chunks without text; the text below a list item belongs to it. */
export function chunksOf(markdown: string, tree: Root = parseMarkdown(markdown)): Chunk[] {
  const slugger = new GithubSlugger();
  const chunks: Chunk[] = [];
  let heading: Pick<Chunk, "anchor" | "heading"> = { anchor: null, heading: null };
  const add = (node: RootContent | ListItem, step: string | null = null) => {
    const text = plainText(node);
    if (text !== "") chunks.push({ ...heading, step, text });
  };
  for (const node of tree.children) {
    switch (node.type) {
      case "heading": {
        const words = headingText(node, { includeImageAlt: false, includeHtml: false });
        heading = { anchor: idPrefix + slugger.slug(words), heading: plainText(node) };
        chunks.push({ ...heading, step: null, text: "" });
        break;
      }
      case "list":
        for (const [index, item] of node.children.entries()) {
          add(item, node.ordered === true ? String((node.start ?? 1) + index) : null);
        }
        break;
      case "table":
        for (const row of node.children) add(row);
        break;
      case "definition":
        break;
      default:
        add(node);
    }
  }
  return chunks;
}
