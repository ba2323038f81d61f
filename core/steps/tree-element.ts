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
  let children: TreeElement[] | undefined;
  return {
    node,
    tagName,
    id: String(properties["id"] ?? ""),
    // a getter, because the text of most elements is never read
    get textContent() {
      return textOf(node);
    },
    get children() {
      return (children ??= treeElements(node.children));
    },
    getAttribute(name) {
      const value = properties[name === "class" ? "className" : name];
      return value === undefined || value === null ? null : [value].flat().join(" ");
    },
  };
}
