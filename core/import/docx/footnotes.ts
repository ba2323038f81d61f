import type { Element, ElementContent, Root } from "hast";
import { eachElement, isElement } from "#core/markdown/html/elements.ts";

/** Turns mammoth's HTML of footnotes and endnotes into the form that this program converts to Markdown. */
export function convertFootnotes(root: Root): void {
  eachElement(root, (node) => {
    const href = node.properties["href"];
    const id = typeof href === "string" ? footnoteIdIn(href.replace(/^#/, "")) : undefined;
    if (node.tagName !== "a" || id === undefined) return;
    if (/-ref-/.test(String(href))) node.properties["dataFootnoteBackref"] = "";
    else {
      node.properties["dataFootnoteRef"] = "";
      node.properties["href"] = `#user-content-fn-${id}`;
    }
  });
  const index = root.children.findIndex((node) => isElement(node, "ol") && listItemsOf(node).some(isFootnoteItem));
  const list = root.children[index];
  if (list === undefined || !isElement(list, "ol")) return;
  // skip repeated footnotes: the converter writes a footnote with two references twice
  const known = new Set<string>();
  list.children = list.children.filter((item) => {
    const id = isElement(item, "li") ? footnoteIdIn(String(item.properties["id"] ?? "")) : undefined;
    if (id === undefined || !isElement(item, "li")) return true;
    item.properties["id"] = `user-content-fn-${id}`;
    return known.size < known.add(id).size;
  });
  const section: Element = {
    type: "element",
    tagName: "section",
    properties: { dataFootnotes: "", className: ["footnotes"] },
    children: [list],
  };
  root.children.splice(index, 1, section);
}

function isFootnoteItem(item: Element): boolean {
  return footnoteIdIn(String(item.properties["id"] ?? "")) !== undefined;
}

function listItemsOf(list: Element): Element[] {
  return list.children.filter((node: ElementContent): node is Element => isElement(node, "li"));
}

/**
 * Returns the id of a footnote or endnote: `footnote-3` → `3`, `endnote-ref-2` → `e2`. Endnotes get a prefix, because
 * their numbers can equal those of footnotes.
 */
function footnoteIdIn(text: string): string | undefined {
  const [, kind, number] = /^(foot|end)note(?:-ref)?-([\w-]+)$/.exec(text) ?? [];
  return number === undefined ? undefined : `${kind === "end" ? "e" : ""}${number}`;
}
