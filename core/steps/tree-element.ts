/** An element of a rendered tree, as the rules of steps read a browser's. */
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
    // most are never asked for
    get textContent() {
      return textOf(node);
    },
    get children() {
      return treeElements(node.children);
    },
    getAttribute(name) {
      const value = properties[name === "class" ? "className" : name];
      return value === undefined || value === null ? null : [value].flat().join(" ");
    },
  };
}
