import type { Element, ElementContent, Root, RootContent } from "hast";
import { sanitize } from "hast-util-sanitize";
import { isTextRightToLeft, keepMeasures } from "../direction.ts";
import { parseHtml, writeHtml } from "../../markdown/html-tree.ts";
import { splitTarget } from "../../links/link-targets.ts";
import { assetUrl } from "../../markdown/links.ts";
import { schema } from "../../markdown/sanitise-schema.ts";
import { openFolds } from "../../steps/open-folds.ts";
import { treeElements } from "../../steps/tree-element.ts";

export interface PageParts {
  /** From `renderHtml`. */
  html: string;
  /**
   * The address of an image of the text, by its name: a `data:` URL or a path. If undefined, its alternative text
   * stays.
   */
  picture(name: string): string | undefined;
  /** The page that a link of the text leads to in this export; undefined leaves the link as it is. */
  link?(href: string): string | undefined;
  /** Told the address of each image that isn't there. */
  lostPicture?(src: string): void;
}

/**
 * The text of a document as HTML whose images and links fit the exported page. It changes the tree, never the markup: what an
 * attribute holds stays text. The result is sanitized last, so that no export holds more than the screen shows. Folds
 * around what protects are open, as on the screen.
 * @param rtl is the page read from the right?
 */
export function placeImages(parts: PageParts, rtl = false): string {
  const tree = parseHtml(parts.html);
  placeChildren(tree, parts);
  const clean = sanitize(tree, schema) as Root;
  if (rtl) markFromLeft(clean);
  if (parts.html.includes("<details")) {
    for (const { node } of openFolds(treeElements(clean.children))) node.properties["open"] = true;
  }
  keepMeasuresIn(clean);
  return writeHtml(clean);
}

/** In a page from the right, blocks without a letter from the right: their words and signs keep the order from the left. */
function markFromLeft(parent: Root | Element): void {
  for (const node of parent.children) {
    if (node.type !== "element") continue;
    if (textBlocks.test(node.tagName) && !isTextRightToLeft(toText(node), true)) {
      const { className } = node.properties;
      node.properties["className"] = [...(Array.isArray(className) ? className : []), "from-left"];
    } else markFromLeft(node);
  }
}

/** In blocks with letters from the right, numbers keep their unit. */
function keepMeasuresIn(parent: Root | Element, inRtl = false): void {
  for (const node of parent.children) {
    if (node.type === "text" && inRtl) node.value = keepMeasures(node.value);
    if (node.type !== "element" || node.tagName === "pre" || node.tagName === "code") continue;
    keepMeasuresIn(node, inRtl || (textBlocks.test(node.tagName) && isTextRightToLeft(toText(node), true)));
  }
}

const textBlocks = /^(?:p|li|td|th|h[1-6]|figcaption|summary)$/;

function toText(node: Element): string {
  return node.children
    .map((child) => (child.type === "text" ? child.value : child.type === "element" ? toText(child) : ""))
    .join("");
}

function placeChildren(parent: Root | Element, parts: PageParts): void {
  parent.children = (parent.children as RootContent[]).map((node) => {
    if (node.type !== "element") return node;
    if (node.tagName === "img") return imageOf(node, parts);
    if (node.tagName === "a") linkTo(node, parts);
    placeChildren(node, parts);
    return node;
  }) as ElementContent[];
}

function imageOf(node: Element, { picture, lostPicture }: PageParts): Element {
  const { src, alt } = node.properties;
  const [, sha256, ext] = assetUrl.exec(String(src ?? "")) ?? [];
  const place = sha256 === undefined ? undefined : picture(ext === undefined ? sha256 : `${sha256}.${ext}`);
  if (place !== undefined) return { ...node, properties: { ...node.properties, src: place } };
  if (typeof src === "string" && src !== "") lostPicture?.(src);
  const words = typeof alt === "string" && alt !== "" ? `[Picture: ${alt}]` : "[Picture]";
  return { type: "element", tagName: "em", properties: {}, children: [{ type: "text", value: words }] };
}

function linkTo(node: Element, { link, picture }: PageParts): void {
  const { href } = node.properties;
  if (typeof href !== "string") return;
  const { path, fragment } = splitTarget(href);
  const [, sha256, ext] = assetUrl.exec(path) ?? [];
  const file = sha256 === undefined || ext === undefined ? undefined : picture(`${sha256}.${ext}`);
  // browsers open no page at a data: URL
  const place = file === undefined || file.startsWith("data:") ? link?.(href) : file + fragment;
  if (place !== undefined) node.properties["href"] = place;
}
