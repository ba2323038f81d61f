import type { Element, ElementContent, Root } from "hast";
import { alertKindForWord, titleFromKindWord } from "#core/markdown/alert-kinds.ts";
import { classesOf, eachElement, element, hasClass, isBlankNode, isElement, nodeText } from "./elements.ts";

/**
 * Turns boxes of MkDocs, Sphinx, Docusaurus and GitHub pages into alerts. A box in a table cell stays as it is, because
 * cells can't contain alerts.
 */
export function convertBoxesToAlerts(parent: Root | Element): void {
  for (const node of parent.children) {
    if (node.type !== "element" || node.tagName === "td" || node.tagName === "th") continue;
    convertBoxesToAlerts(node);
    if (["div", "aside", "section"].includes(node.tagName)) convertBoxToAlert(node);
  }
}

function convertBoxToAlert(node: Element): void {
  const kind = alertBoxKindOf(node);
  if (kind === undefined) return;
  const title = node.children.find((child): child is Element => child.type === "element" && isTitle(child));
  const body = node.children.filter((child) => child !== title);
  if (body.every(isBlankNode)) return;
  const words = title === undefined ? "" : nodeText(title).replace(/\s+/g, " ").trim();
  Object.assign(node, element("div", { className: ["alert", `alert-${kind}`] }, body));
  // views show the name of the kind, so a title with that name is dropped
  if (["", kind].includes(words.toLowerCase())) return;
  const head: ElementContent = {
    type: "text",
    value: words === words.toLowerCase() ? titleFromKindWord(words) : words,
  };
  node.children.unshift(element("p", {}, [element("strong", {}, [head])]));
}

function alertBoxKindOf(node: Element): string | undefined {
  const classes = classesOf(node);
  const isBox = ["admonition", "theme-admonition", "markdown-alert"].some((name) => classes.includes(name));
  if (!isBox) return undefined;
  const names = classes.map((name) => name.replace(/^(?:theme-admonition|markdown-alert)-/, ""));
  const kind = names.map((name) => alertKindForWord(name)).find((known) => known !== undefined) ?? "NOTE";
  return kind.toLowerCase();
}

function isTitle(node: Element): boolean {
  return (
    hasClass(node, "admonition-title") ||
    hasClass(node, "markdown-alert-title") ||
    classesOf(node).some((name) => name.startsWith("admonitionHeading"))
  );
}

/**
 * Removes content for scripts and screen readers that duplicates what a page shows: link marks of headings, second
 * forms of formulas.
 */
export function dropDuplicateContent(root: Root): void {
  eachElement(root, (node, parent, index) => {
    const isMark = isElement(node, "a") && /^[¶#§🔗\u200B\s]*$/u.test(nodeText(node)) && isPermalink(node);
    const isDouble =
      hasClass(node, "katex-html") &&
      parent.children.some((one) => one.type === "element" && hasClass(one, "katex-mathml"));
    if (isMark || isDouble) parent.children.splice(index, 1);
  });
}

function isPermalink(link: Element): boolean {
  return ["headerlink", "hash-link", "anchor", "anchorjs-link", "header-anchor"].some((name) => hasClass(link, name));
}
