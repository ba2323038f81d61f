import type { Root } from "hast";
import { eachElement, descendantsNamed, findElement, nodeText } from "#core/markdown/html/elements.ts";

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

/**
 * Removes headings without words, so that no such heading becomes the title. A heading with only an image becomes a
 * paragraph.
 */
export function removeWordlessHeadings(root: Root): void {
  eachElement(root, (node, parent, index) => {
    if (!headings.has(node.tagName) || nodeText(node).trim() !== "") return;
    if (findElement(node, ({ tagName }) => tagName === "img") === undefined) parent.children.splice(index, 1);
    else node.tagName = "p";
  });
}

/** Tells whether the first heading is also the only one of level 1. Such a heading is the title. */
export function hasSingleTopHeading(root: Root): boolean {
  const first = findElement(root, ({ tagName }) => /^h[1-6]$/.test(tagName));
  return first?.tagName === "h1" && descendantsNamed(root, "h1").length === 1;
}
