import type { Element, ElementContent, Root, RootContent } from "hast";
import { sanitize } from "hast-util-sanitize";
import { missingImageText } from "../document.ts";
import { isTextRightToLeft, withMeasureOrderMarks } from "../direction.ts";
import { parseHtml, writeHtml } from "../../markdown/html-tree.ts";
import { splitAddress } from "../../links/link-targets.ts";
import { assetUrl } from "../../markdown/links.ts";
import { schema } from "../../markdown/sanitise-schema.ts";
import { foldsToOpen } from "../../steps/open-folds.ts";
import { treeElements } from "../../steps/tree-element.ts";
import { elementText } from "../read-notes.ts";

export interface PageParts {
  /** The HTML from `renderHtml`. */
  html: string;
  /**
   * Returns the address of an image in the export by its name: a `data:` URL or a path. For undefined, the alternative
   * text replaces the image.
   */
  image(name: string): string | undefined;
  /** Returns the page of this export to which a link leads. For undefined, the link stays as it is. */
  link?(href: string): string | undefined;
  /** Receives the address of each missing image. */
  lostImage?(src: string): void;
}

/**
 * Returns the HTML of a document with the images and links of the export. The HTML is sanitized last, so that the
 * export shows nothing that the screen doesn't show. Folds with safety content are open, as on the screen.
 * @param rtl true for a page that is read from right to left
 */
export function exportedHtmlOf(parts: PageParts, rtl = false): string {
  const tree = parseHtml(parts.html);
  rewriteChildren(tree, parts);
  const clean = sanitize(tree, schema) as Root;
  if (rtl) markLeftToRightBlocks(clean);
  if (parts.html.includes("<details")) {
    for (const { node } of foldsToOpen(treeElements(clean.children))) node.properties["open"] = true;
  }
  keepMeasureOrderIn(clean);
  return writeHtml(clean);
}

/**
 * Marks blocks without a right-to-left letter in a right-to-left page, so that their words and punctuation keep their
 * order.
 */
function markLeftToRightBlocks(parent: Root | Element): void {
  for (const node of parent.children) {
    if (node.type !== "element") continue;
    if (textBlocks.test(node.tagName) && !isTextRightToLeft(elementText(node), true)) {
      const { className } = node.properties;
      node.properties["className"] = [...(Array.isArray(className) ? className : []), "from-left"];
    } else markLeftToRightBlocks(node);
  }
}

/** Adds marks that keep the order of numbers and units in blocks with right-to-left letters. Changes the tree. */
function keepMeasureOrderIn(parent: Root | Element, inRtl = false): void {
  for (const node of parent.children) {
    if (node.type === "text" && inRtl) node.value = withMeasureOrderMarks(node.value);
    if (node.type !== "element" || node.tagName === "pre" || node.tagName === "code") continue;
    keepMeasureOrderIn(node, inRtl || (textBlocks.test(node.tagName) && isTextRightToLeft(elementText(node), true)));
  }
}

const textBlocks = /^(?:p|li|td|th|h[1-6]|figcaption|summary)$/;

function rewriteChildren(parent: Root | Element, parts: PageParts): void {
  parent.children = (parent.children as RootContent[]).map((node) => {
    if (node.type !== "element") return node;
    if (node.tagName === "img") return exportedImageOf(node, parts);
    if (node.tagName === "a") rewriteLink(node, parts);
    rewriteChildren(node, parts);
    return node;
  }) as ElementContent[];
}

function exportedImageOf(node: Element, { image, lostImage }: PageParts): Element {
  const { src, alt } = node.properties;
  const [, sha256, ext] = assetUrl.exec(String(src ?? "")) ?? [];
  const place = sha256 === undefined ? undefined : image(ext === undefined ? sha256 : `${sha256}.${ext}`);
  if (place !== undefined) return { ...node, properties: { ...node.properties, src: place } };
  if (typeof src === "string" && src !== "") lostImage?.(src);
  const words = `[${missingImageText(typeof alt === "string" ? alt : "")}]`;
  return { type: "element", tagName: "em", properties: {}, children: [{ type: "text", value: words }] };
}

function rewriteLink(node: Element, { link, image }: PageParts): void {
  const { href } = node.properties;
  if (typeof href !== "string") return;
  const { path, fragment } = splitAddress(href);
  const [, sha256, ext] = assetUrl.exec(path) ?? [];
  const file = sha256 === undefined || ext === undefined ? undefined : image(`${sha256}.${ext}`);
  // browsers don't open a data: URL as a page
  const place = file === undefined || file.startsWith("data:") ? link?.(href) : file + fragment;
  if (place !== undefined) node.properties["href"] = place;
}
