/**
 * Splits a text into the pieces that a search returns: steps, other list items, table rows, paragraphs, each with its
 * heading.
 */
import GithubSlugger from "github-slugger";
import type { ListItem, RootContent } from "mdast";
import { toString as headingText } from "mdast-util-to-string";
import { eachNode } from "#core/markdown/each-node.ts";
import { parseMarkdown } from "#core/markdown/parse.ts";
import { plainText } from "#core/markdown/plain-text.ts";
import { idPrefix } from "#core/markdown/sanitise-schema.ts";

export interface Chunk {
  /** The id of the heading above, as in `renderHtml`; null before the first heading. */
  anchor: string | null;
  /** The text of the heading above; null before the first heading. */
  heading: string | null;
  /** The number of a step as shown: "3"; null for other pieces. */
  step: string | null;
  /** The text without markup, on one line; empty for the chunk of a heading. */
  text: string;
}

/** Splits a body into chunks. A heading is a chunk without text, and the text below a list item belongs to the item. */
export function searchChunksOf(markdown: string): Chunk[] {
  const slugger = new GithubSlugger();
  const chunks: Chunk[] = [];
  let heading: Pick<Chunk, "anchor" | "heading"> = { anchor: null, heading: null };
  const addChunk = (node: RootContent | ListItem, step: string | null = null) => {
    const text = plainText(node);
    if (text !== "") chunks.push({ ...heading, step, text });
  };
  for (const node of parseMarkdown(markdown).children) {
    const anchors = headingAnchorsIn(node, slugger);
    switch (node.type) {
      case "heading":
        heading = { anchor: anchors[0] ?? null, heading: plainText(node) };
        chunks.push({ ...heading, step: null, text: "" });
        break;
      case "list":
        for (const [index, item] of node.children.entries()) {
          addChunk(item, node.ordered === true ? String((node.start ?? 1) + index) : null);
        }
        break;
      case "table":
        for (const row of node.children) addChunk(row);
        break;
      case "definition":
        break;
      default:
        addChunk(node);
    }
  }
  return chunks;
}

/**
 * Returns the ids of the headings in a node. Headings in quotes and lists count too, because equal ids are numbered.
 */
function headingAnchorsIn(node: RootContent, slugger: GithubSlugger): string[] {
  const anchors: string[] = [];
  // headings in footnotes get no id here, because a page shows footnotes at its end
  if (node.type === "footnoteDefinition") return anchors;
  eachNode(node, (one) => {
    if (one.type !== "heading") return;
    const words = headingText(one, { includeImageAlt: false, includeHtml: false });
    anchors.push(idPrefix + slugger.slug(words));
  });
  return anchors;
}
