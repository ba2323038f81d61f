/** Is all of a document in its PDF, in order? */
import { plainText, type Block, type Inline } from "#core/export/blocks.ts";
import { shallow } from "#core/export/shallow.ts";
import { pdfPages } from "./pdf-text.ts";

/** What has to be found: each paragraph, heading, cell and line of code, in the order of the text. */
export function pieces(blocks: readonly Block[]): string[] {
  return shallow(blocks).flatMap((block): string[] => {
    switch (block.type) {
      case "paragraph":
      case "heading":
        return [shownText(block.children)];
      case "list":
        return block.items.flatMap((item) => pieces(item.children));
      case "table":
        return block.rows.flatMap(({ cells }) => cells.flatMap((cell) => pieces(cell.children)));
      case "code":
        return block.text.split("\n");
      case "details":
        return [shownText(block.summary), ...pieces(block.children)];
      case "alert":
        return [block.title.toUpperCase(), ...pieces(block.children)];
      case "quote":
        return pieces(block.children);
      case "rule":
        return [];
    }
  });
}

/** A picture shows no words when it is there, a note its number. */
function shownText(nodes: readonly Inline[]): string {
  const shown = nodes.map((node): Inline => {
    if (node.type === "image") return { type: "text", text: "" };
    return node.type === "footnote" || node.type === "footnote-again"
      ? { type: "text", text: String(node.number) }
      : node;
  });
  return plainText(shown);
}

/** Letters and digits alone: spaces, hyphens and marks of lists are the page's. */
function letters(text: string): string {
  return text.normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, "");
}

/** @returns the first pieces that are not where they should be */
export function lost(pdf: Uint8Array, blocks: readonly Block[], onEveryPage: readonly string[]): string[] {
  const pages = pdfPages(pdf, "-raw").map((page) => onEveryPage.reduce((text, part) => text.replace(part, ""), page));
  const text = letters(pages.map((page) => page.replace(/Page \d+ of \d+/, "")).join("\n"));
  let at = 0;
  const missing: string[] = [];
  for (const piece of pieces(blocks)) {
    const wanted = letters(piece);
    const found = text.indexOf(wanted, at);
    if (found === -1) missing.push(piece);
    else at = found + wanted.length;
  }
  return missing;
}
