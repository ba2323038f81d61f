import type { Element, Root } from "hast";
import { classesOf, eachElement, hasClass, isBlankNode, isElement, textProperty, nodeText } from "./elements.ts";

/**
 * Corrects HTML of Google Docs, which has links through a redirect, list levels as separate lists, titles as
 * paragraphs.
 */
export function convertGoogleDocsHtml(root: Root): void {
  eachElement(root, (node) => {
    if (node.tagName === "a" && textProperty(node, "href") !== "")
      node.properties["href"] = addressBehindRedirect(textProperty(node, "href"));
    if (node.tagName === "p" && hasClass(node, "title") && nodeText(node).trim() !== "") node.tagName = "h1";
  });
  nestGoogleListsIn(root);
}

/** The address behind a redirect of Google: `https://www.google.com/url?q=<address>&sa=…` → the address. */
function addressBehindRedirect(href: string): string {
  if (!/^https?:\/\/(?:www\.)?google\.[a-z.]+\/url\?/i.test(href)) return href;
  const target = URL.parse(href)?.searchParams.get("q");
  return target !== null && target !== undefined && /^(?:https?|mailto):/i.test(target) ? target : href;
}

interface GoogleList {
  key: string;
  level: number;
}

function googleListOf(node: Root["children"][number]): GoogleList | undefined {
  if (!isElement(node, "ol") && !isElement(node, "ul")) return undefined;
  for (const name of classesOf(node)) {
    const [, key, level] = /^lst-(kix_\w+)-(\d+)$/.exec(name) ?? [];
    if (key !== undefined) return { key, level: Number(level) };
  }
  return undefined;
}

/** Moves a deeper list into the last item of the list above it. The next list of the same level continues that list. */
function nestGoogleListsIn(parent: Root | Element): void {
  const out: Root["children"] = [];
  let open: { list: Element; level: number; key: string }[] = [];
  for (const node of parent.children) {
    const found = googleListOf(node);
    if (found === undefined || node.type !== "element") {
      if (node.type === "element") nestGoogleListsIn(node);
      if (!isBlankNode(node) || node.type === "element") open = [];
      out.push(node);
      continue;
    }
    for (const item of node.children) if (item.type === "element") nestGoogleListsIn(item);
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > found.level) open.pop();
    const same = open.at(-1);
    if (same?.level === found.level && same.list.tagName === node.tagName && same.key === found.key) {
      same.list.children.push(...node.children);
      continue;
    }
    if (same?.level === found.level) open.pop();
    const above = open.at(-1);
    const item = above?.list.children.findLast((child) => isElement(child, "li"));
    if (item?.type === "element") item.children.push(node);
    else out.push(node);
    open.push({ list: node, ...found });
  }
  parent.children = out as typeof parent.children;
}
