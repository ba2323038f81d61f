import {
  eachElement,
  element,
  descendantsNamed,
  hasClass,
  isElement,
  textProperty,
  nodeText,
} from "#core/markdown/html/elements.ts";
import { cleanHtml } from "#core/markdown/html/clean.ts";
import { parseHtml, writeHtml } from "#core/markdown/html-tree.ts";
import type { Element, Root } from "hast";
import { convertTables, cellContentInOneLine } from "./paste-tables.ts";

/**
 * Cleans pasted HTML and converts it to the form that the editor reads. It removes styles and scripts, because the
 * content security policy would block and report each one.
 * @param isForCell whether the content goes into a table cell, which has lines and no blocks
 */
export function cleanPastedHtml(html: string, isForCell = false): string {
  const own = html.includes("data-pm-slice") ? parseEditorHtml(html) : undefined;
  const root = own ?? cleanHtml(html).root;
  // A table copied from an editor like this one already has the right form.
  const hasSpans = descendantsNamed(root, "td").concat(descendantsNamed(root, "th")).some(isSpanned);
  if (own === undefined || hasSpans) convertTables(root);
  if (isForCell && descendantsNamed(root, "table").length === 0) {
    eachElement(root, replaceCheckBox);
    root.children = cellContentInOneLine(element("td", {}, root.children as Element["children"]));
  }
  eachElement(root, (node) => {
    if (node.tagName === "li") turnIntoTaskItem(node);
    // The editor would read both elements as inline text.
    if (node.tagName === "details") node.tagName = "div";
    if (node.tagName === "summary") node.tagName = "p";
    if (node.tagName === "div" && hasClass(node, "alert")) markPastedAlert(node);
  });
  return writeHtml(root);
}

/** Parses HTML and keeps its attributes, in which an editor like this one stores the form of copied text. */
function parseEditorHtml(html: string): Root {
  const root = parseHtml(html);
  eachElement(root, (node, parent, index) => {
    if (/^(?:script|style|iframe|object|embed|link|meta|svg|math)$/.test(node.tagName))
      parent.children.splice(index, 1);
    for (const name of Object.keys(node.properties))
      if (/^(?:style|on[A-Z]\w*)$/.test(name)) delete node.properties[name];
  });
  return root;
}

function isSpanned({ properties: { colSpan, rowSpan } }: Element): boolean {
  return Number(colSpan ?? 1) > 1 || Number(rowSpan ?? 1) > 1;
}

/** Turns a check box into a character, both from HTML and from an editor's own lists. */
function replaceCheckBox(node: Element, parent: Root | Element, index: number): void {
  const { checked, dataChecked } = node.properties;
  const checkboxText = (isChecked: boolean) => ({ type: "text", value: isChecked ? "☒ " : "☐ " }) as const;
  if (node.tagName === "input") parent.children[index] = checkboxText(checked === true || checked === "");
  if (node.tagName === "li" && (dataChecked === "true" || dataChecked === "false"))
    node.children.unshift(checkboxText(dataChecked === "true"));
}

function turnIntoTaskItem(item: Element): void {
  const [box, ...rest] = item.children;
  if (box === undefined || !isElement(box, "input")) return;
  const { checked } = box.properties;
  item.properties = { dataItemType: "task", dataChecked: String(checked === true || checked === "") };
  item.children = rest;
}

function markPastedAlert(node: Element): void {
  const kind = /\balert-(\w+)/.exec(String(node.properties["className"]))?.[1] ?? "note";
  const body = node.children.filter((child) => !(child.type === "element" && hasClass(child, "alert-title")));
  node.properties = { dataAlert: kind };
  node.children = [element("div", {}, body)];
}

function imagesOf(html: string): { root: Root; images: Element[] } {
  const root = parseHtml(html);
  eachElement(root, (node, parent, index) => {
    if (/^(?:style|script|title)$/.test(node.tagName)) parent.children.splice(index, 1);
  });
  return { root, images: descendantsNamed(root, "img") };
}

/**
 * Says whether HTML has only one image. An image copied from a page is on the clipboard twice: as HTML with its address
 * and as a file.
 */
export function isSingleImage(html: string): boolean {
  const { root, images } = imagesOf(html);
  return nodeText(root).trim() === "" && images.length === 1;
}

/** Counts the images in HTML whose addresses no page can read, such as local files, which Word and others write. */
export function countLocalImages(html: string): number {
  const { images } = imagesOf(html);
  const all = images.filter(({ properties }) => String(properties["ariaRoleDescription"]) !== "checkbox");
  return all.filter((image) => /^(?:file|data|blob):/i.test(textProperty(image, "src"))).length;
}
