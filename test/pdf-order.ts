/** Checks that the whole document is in its PDF, in order. */
import { plainTextOfInlines, type ExportBlock, type ExportInline } from "#core/export/blocks.ts";
import { withLimitedDepth } from "#core/export/limit-depth.ts";
import { pdfPages } from "./pdf-text.ts";

/** The expected pieces: each paragraph, heading, cell and line of code, in the text's order. */
function pieces(blocks: readonly ExportBlock[], isPlaced: IsPlaced): string[] {
  const all = (inner: readonly ExportBlock[]) => pieces(inner, isPlaced);
  const shownText = (nodes: readonly ExportInline[]) => textShown(nodes, isPlaced);
  return withLimitedDepth(blocks).flatMap((block): string[] => {
    switch (block.type) {
      case "paragraph":
      case "caption":
      case "heading":
        return [shownText(block.children)];
      case "list":
        return block.items.flatMap((item) => all(item.children));
      case "table":
        return block.rows.flatMap(({ cells }) => cells.flatMap((cell) => all(cell.children)));
      case "code":
        return block.text.split("\n");
      case "details":
        return [shownText(block.summary), ...all(block.children)];
      case "alert":
        return [block.title.toUpperCase(), ...all(block.children)];
      case "quote":
        return all(block.children);
      case "rule":
        return [];
    }
  });
}

/** Says whether the PDF shows an image, by the image's name. */
type IsPlaced = (asset: string) => boolean;

/** The text that a PDF shows. A missing image shows its alternative text, a note its number. */
function textShown(nodes: readonly ExportInline[], isPlaced: IsPlaced): string {
  const shown = (node: ExportInline): ExportInline => {
    if (node.type === "image") return { type: "text", text: isPlaced(node.asset) ? "" : wordsFor(node.alt) };
    if (node.type === "footnote" || node.type === "footnote-again") return { type: "text", text: String(node.number) };
    return "children" in node ? { ...node, children: node.children.map(shown) } : node;
  };
  return plainTextOfInlines(nodes.map(shown));
}

const wordsFor = (alt: string) => (alt === "" ? "Picture not available" : `Picture: ${alt}`);

/** Keeps only letters and digits, because spaces, hyphens and list signs belong to the page. */
function letters(text: string): string {
  return text.normalize("NFKC").replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * The part of a page between its header and its footer, in points. Header and footer are left out, because their words
 * can be in a text.
 */
const between = ["-x", "0", "-y", "72", "-W", "596", "-H", "708"];

/** @returns the pieces that are missing or out of order */
export function missingBlocks(
  pdf: Uint8Array,
  blocks: readonly ExportBlock[],
  isPlaced: IsPlaced = () => true,
): string[] {
  const text = letters(pdfPages(pdf, "-raw", ...between).join("\n"));
  let at = 0;
  const missing: string[] = [];
  for (const piece of pieces(blocks, isPlaced)) {
    const wanted = letters(piece);
    const found = text.indexOf(wanted, at);
    if (found === -1) missing.push(piece);
    else at = found + wanted.length;
  }
  return missing;
}
