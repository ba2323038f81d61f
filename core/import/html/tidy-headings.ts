import type { Root } from "hast";
import { eachElement, findElement, textOf } from "#core/markdown/html/elements.ts";

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

/** Headings without words are none, so that none is taken for the title. One with an image is a paragraph. */
export function tidyHeadings(root: Root): void {
  eachElement(root, (node, parent, index) => {
    if (!headings.has(node.tagName) || textOf(node).trim() !== "") return;
    if (findElement(node, ({ tagName }) => tagName === "img") === undefined) parent.children.splice(index, 1);
    else node.tagName = "p";
  });
}
