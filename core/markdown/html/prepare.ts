import type { Element, ElementContent, Root } from "hast";
import { hrefIfSafe } from "../links.ts";
import { idPrefix } from "../sanitise-schema.ts";
import { lossTexts, type Losses } from "./losses.ts";

/** Removes what the product's own rendering adds, and repairs what other editors omit, before the conversion. */
export function prepareHtmlTree(root: Root, losses: Losses): void {
  const prepareChildren = (parent: Root | Element): void => {
    for (const node of parent.children) {
      if (node.type !== "element") continue;
      if (node.tagName === "a") cleanLink(node);
      if (node.tagName === "table") promoteHeader(node, losses);
      prepareChildren(node);
    }
  };
  prepareChildren(root);
}

function cleanLink(node: Element): void {
  const href = node.properties["href"];
  if (typeof href !== "string") return;
  if (hrefIfSafe(href) === undefined) delete node.properties["href"];
  else if (node.properties["dataFootnoteRef"] === undefined) {
    node.properties["href"] = href.replace(`#${idPrefix}`, "#");
  }
}

/**
 * Makes the first row of a table without a header its header, because a Markdown table needs one
 * (`docs/spec/markdown.md`).
 */
function promoteHeader(table: Element, losses: Losses): void {
  const rows = ownDescendantsNamed(table, "tr");
  const [first] = rows;
  if (
    first === undefined ||
    ownDescendantsNamed(table, "thead").length > 0 ||
    ownDescendantsNamed(first, "th").length > 0
  )
    return;
  for (const cell of first.children) {
    if (cell.type !== "element" || cell.tagName !== "td") continue;
    cell.tagName = "th";
    // A header cell is always bold.
    if (isBold(cell)) cell.children = withoutBold(cell);
  }
  losses.add(lossTexts.headerless());
}

function isBold(node: Element): boolean {
  return node.children.every((child) => {
    if (child.type === "element") return child.tagName === "strong" || child.tagName === "br" || isBold(child);
    return child.type !== "text" || child.value.trim() === "";
  });
}

function withoutBold(node: Element): ElementContent[] {
  return node.children.flatMap((child) => {
    if (child.type !== "element") return [child];
    const children = withoutBold(child);
    return child.tagName === "strong" ? children : [{ ...child, children }];
  });
}

/** The descendants of a table or row with this tag name, without those of inner tables. */
function ownDescendantsNamed(parent: Element, name: string): Element[] {
  return parent.children.flatMap((node: ElementContent) => {
    if (node.type !== "element") return [];
    if (node.tagName === name) return [node];
    return node.tagName === "table" ? [] : ownDescendantsNamed(node, name);
  });
}
