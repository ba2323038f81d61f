import type { Element, ElementContent, Root } from "hast";
import { safeHref } from "../links.ts";
import { idPrefix } from "../sanitise-schema.ts";
import type { Losses } from "./losses.ts";

/** Undoes what our own rendering adds, and repairs what other editors leave out, before the conversion. */
export function prepare(root: Root, losses: Losses): void {
  const walk = (parent: Root | Element): void => {
    for (const node of parent.children) {
      if (node.type !== "element") continue;
      if (node.tagName === "a") cleanLink(node);
      if (node.tagName === "table") promoteHeader(node, losses);
      walk(node);
    }
  };
  walk(root);
}

function cleanLink(node: Element): void {
  const href = node.properties["href"];
  if (typeof href !== "string") return;
  if (safeHref(href) === undefined) delete node.properties["href"];
  else if (node.properties["dataFootnoteRef"] === undefined) {
    node.properties["href"] = href.replace(`#${idPrefix}`, "#");
  }
}

/** A Markdown table has a header row: without one the first row is it (`docs/spec/markdown.md`). */
function promoteHeader(table: Element, losses: Losses): void {
  const rows = elements(table, "tr");
  const [first] = rows;
  if (first === undefined || elements(table, "thead").length > 0 || elements(first, "th").length > 0) return;
  for (const cell of first.children) if (cell.type === "element" && cell.tagName === "td") cell.tagName = "th";
  losses.add("a table without a header row: its first row became the header");
}

/** Descendants of a table or row with a name, not those of tables inside it. */
export function elements(parent: Element, name: string): Element[] {
  return parent.children.flatMap((node: ElementContent) => {
    if (node.type !== "element") return [];
    if (node.tagName === name) return [node];
    return node.tagName === "table" ? [] : elements(node, name);
  });
}
