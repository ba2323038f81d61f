import type { Root } from "hast";
import { eachElement, elementsOf, findElement, textOf } from "#core/markdown/html/elements.ts";

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

/** Headings without words are none, so that none is taken for the title. One with an image is a paragraph. */
export function tidyHeadings(root: Root): void {
  eachElement(root, (node, parent, index) => {
    if (!headings.has(node.tagName) || textOf(node).trim() !== "") return;
    if (findElement(node, ({ tagName }) => tagName === "img") === undefined) parent.children.splice(index, 1);
    else node.tagName = "p";
  });
}

/** Is the first heading the only one of level 1? Then it is the title. */
export function beginsWithTitle(root: Root): boolean {
  const first = findElement(root, ({ tagName }) => /^h[1-6]$/.test(tagName));
  return first?.tagName === "h1" && elementsOf(root, "h1").length === 1;
}
