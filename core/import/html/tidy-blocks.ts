import type { Element, ElementContent, Root } from "hast";
import { eachElement, element, elementsOf, findElement, isBlank, isElement, textOf } from "./elements.ts";

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

/** Removes traces of other editors: empty headings, and paragraphs inside table cells, which Markdown doesn't have. */
export function tidyBlocks(root: Root): void {
  eachElement(root, (node, parent, index) => {
    if (headings.has(node.tagName) && textOf(node).trim() === "") {
      if (findElement(node, ({ tagName }) => tagName === "img") === undefined) parent.children.splice(index, 1);
      else node.tagName = "p";
    } else if (node.tagName === "td" || node.tagName === "th") joinParagraphs(node);
    else if (node.tagName === "table" && elementsOf(node, "tr").length === 0) parent.children.splice(index, 1);
  });
}

/** Two paragraphs in a cell are two lines of it; lists and tables stay what they are. */
function joinParagraphs(cell: Element): void {
  const parts = cell.children.filter((child) => !isBlank(child));
  if (!parts.every((part) => isElement(part, "p") || isElement(part, "div") || part.type === "text" || isPhrase(part)))
    return;
  if (!parts.some((part) => isElement(part, "p") || isElement(part, "div"))) return;
  if (parts.some((part) => isElement(part, "div") && !part.children.every(isPhrase))) return;
  const out: ElementContent[] = [];
  for (const part of parts) {
    const isBlock = isElement(part, "p") || isElement(part, "div");
    if (isBlock && out.length > 0) out.push(element("br", {}, []));
    if (isBlock) out.push(...part.children);
    else out.push(part);
  }
  cell.children = out;
}

const phrases = new Set("a b strong i em u s del code span br img sub sup kbd font small input".split(" "));

function isPhrase(node: ElementContent): boolean {
  return node.type !== "element" || (phrases.has(node.tagName) && node.children.every(isPhrase));
}
