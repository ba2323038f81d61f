/** Wraps an element of a rendered tree, so that the rules of steps can read it like a browser's element. */
import type { Element, Nodes } from "hast";
import { toString as textOf } from "mdast-util-to-string";
import type { ReadingElement } from "./element.ts";

export interface TreeElement extends ReadingElement<TreeElement> {
  readonly node: Element;
}

export function treeElements(nodes: readonly Nodes[]): TreeElement[] {
  return nodes.filter((node) => node.type === "element").map(treeElement);
}

function treeElement(node: Element): TreeElement {
  const { tagName, properties } = node;
  return {
    node,
    tagName,
    id: String(properties["id"] ?? ""),
    className: [properties["className"] ?? []].flat().join(" "),
    // a getter, because the text of most elements is never needed
    get textContent() {
      return textOf(node);
    },
    get children() {
      return treeElements(node.children);
    },
    getAttribute: (name) => (properties[name] === undefined ? null : String(properties[name])),
  };
}
