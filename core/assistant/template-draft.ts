/** Makes a draft from a template: the template's text, and the points that the author has to resolve first. */
import type { Root } from "mdast";
import { writeTree } from "#core/markdown/format.ts";
import { wordTextsOf } from "#core/search/analyse.ts";
import { isEmptyWord } from "#core/search/empty-words.ts";

export interface TemplateTitleAndText {
  title: string;
  markdown: string;
}

/**
 * Returns the draft as Markdown, not yet in canonical form. Blanks become `[confirm: …]`, which blocks publishing.
 * @param prompt the request @param found the words of the request that the template contains
 */
export function templateAsDraft(template: TemplateTitleAndText, prompt: string, found: readonly string[]): string {
  const known = new Set([...found, ...wordTextsOf(template.title)]);
  const open = [...new Set(wordTextsOf(prompt))].filter((word) => !known.has(word) && !isEmptyWord(word)).slice(0, 12);
  const missing = open.length === 0 ? "" : ` [confirm: what the template does not know: ${open.join(", ")}]`;
  const note = `From the template “${template.title}”. [confirm: each role, number and step holds here]${missing}`;
  const tree: Root = {
    type: "root",
    children: [
      {
        type: "blockquote",
        children: [
          {
            type: "paragraph",
            children: [
              { type: "html", value: "[!IMPORTANT]\n" },
              { type: "text", value: note },
            ],
          },
        ],
      },
    ],
  };
  return `${writeTree(tree).trimEnd()}\n\n${template.markdown}`;
}
