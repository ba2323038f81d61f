import type { Element, ElementContent, Nodes, Root } from "hast";

export function isElement(node: Nodes, name: string): node is Element {
  return node.type === "element" && node.tagName === name;
}

export function element(tagName: string, properties: Element["properties"], children: ElementContent[]): Element {
  return { type: "element", tagName, properties, children };
}

/**
 * Visits elements from last to first, children before parents, so that the visitor may replace its node by splicing the
 * parent.
 */
export function eachElement(
  parent: Root | Element,
  visit: (node: Element, parent: Root | Element, index: number) => void,
): void {
  for (let index = parent.children.length - 1; index >= 0; index -= 1) {
    const node = parent.children[index];
    if (node?.type !== "element") continue;
    eachElement(node, visit);
    visit(node, parent, index);
  }
}

/** The descendants with this tag name, in order. */
export function descendantsNamed(parent: Root | Element, name: string): Element[] {
  return parent.children.flatMap((node) =>
    node.type !== "element" ? [] : [...(node.tagName === name ? [node] : []), ...descendantsNamed(node, name)],
  );
}

export function findElement(parent: Root | Element, fits: (node: Element) => boolean): Element | undefined {
  for (const node of parent.children) {
    if (node.type !== "element") continue;
    const found = fits(node) ? node : findElement(node, fits);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function nodeText(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(nodeText).join("") : "";
}

/** Tells whether a node shows nothing: no words, images, tables or lines. */
export function isBlankNode(node: Nodes): boolean {
  if (node.type === "text") return node.value.trim() === "";
  if (node.type === "comment") return true;
  if (node.type !== "element") return false;
  if (["img", "input", "hr", "br", "table"].includes(node.tagName)) return false;
  return node.children.every(isBlankNode);
}

export function classesOf(node: Element): string[] {
  const classes = node.properties["className"];
  return Array.isArray(classes) ? classes.map(String) : [];
}

export function hasClass(node: Element, name: string): boolean {
  return classesOf(node).includes(name);
}

/** The value of a property as text; empty for another type. */
export function textProperty(node: Element, name: string): string {
  const value = node.properties[name];
  return typeof value === "string" ? value : "";
}
