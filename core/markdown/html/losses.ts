import type { Element, Nodes, Root } from "hast";
import { safeHref } from "../links.ts";
import { inputSchema } from "./schema.ts";

/** Collects what a conversion drops: each kind once, with its count. */
export interface Losses {
  add(what: string): void;
  lines(): string[];
}

const harmless = new Set([
  "html",
  "head",
  "body",
  "meta",
  "link",
  "title",
  "wbr",
  "colgroup",
  "col",
  "font",
  "small",
  "big",
  "label",
]);

/** Walks HTML as it came and notes what Markdown will not keep. */
export function findLosses(root: Root): Losses {
  const counts = new Map<string, number>();
  const add = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const walk = (node: Nodes): void => {
    if (node.type === "element") inspect(node, add);
    if ("children" in node) node.children.forEach(walk);
  };
  walk(root);
  return {
    add,
    lines: () => [...counts].map(([what, times]) => (times === 1 ? what : `${what} (${times} times)`)),
  };
}

function inspect(node: Element, add: (what: string) => void): void {
  const { tagName, properties } = node;
  if (!inputSchema.tagNames?.includes(tagName) && !harmless.has(tagName)) {
    const withContent = inputSchema.strip?.includes(tagName);
    add(withContent ? `<${tagName}> was removed` : `<${tagName}> was removed, its text kept`);
  }
  if (properties["style"] !== undefined) add("style attributes were removed");
  if (Object.keys(properties).some((name) => /^on/i.test(name))) add("event handlers were removed");
  const href = properties["href"];
  if (tagName === "a" && typeof href === "string" && safeHref(href) === undefined)
    add("an unsafe link target was removed");
}
