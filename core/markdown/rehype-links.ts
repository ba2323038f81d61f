import type { Element, ElementContent, Root } from "hast";
import { toString as textOf } from "mdast-util-to-string";
import GithubSlugger from "github-slugger";
import { cleanBlockText, cleanText } from "../text/clean-text.ts";
import { assetUrl, hrefIfSafe } from "./links.ts";
import { readAlt } from "./image-alt.ts";
import { idPrefix } from "./sanitise-schema.ts";

const rel = ["noopener", "noreferrer", "nofollow"];

/**
 * unified plugin: adds heading ids, adapts local links to them, makes links safe, and only allows images stored on this
 * server. Removes characters that would make a text look different from its content, such as control characters and
 * marks that change the reading direction.
 */
export function rehypeLinks(): (tree: Root) => void {
  return (tree) => {
    const ids = new Set<string>();
    nameHeadings(tree, new GithubSlugger(), ids);
    rewriteNodes(tree, false, ids);
  };
}

function nameHeadings(parent: Root | Element, slugger: GithubSlugger, ids: Set<string>): void {
  for (const node of parent.children) {
    if (node.type !== "element") continue;
    if (/^h[1-6]$/.test(node.tagName) && !isFootnoteLabel(node)) {
      const id = idPrefix + slugger.slug(textOf(node));
      node.properties["id"] = id;
      // a class in raw HTML must not hide a heading on screens, because exports would still show the heading
      delete node.properties["className"];
      ids.add(id);
    }
    nameHeadings(node, slugger, ids);
  }
}

/** Recognizes the heading of the footnotes, which only screen readers read. */
function isFootnoteLabel(node: Element): boolean {
  return node.properties["id"] === "footnote-label" && textOf(node) === "Footnotes";
}

function rewriteNodes(parent: Root | Element, inLink: boolean, ids: ReadonlySet<string>): void {
  parent.children = parent.children.map((node) => {
    if (node.type === "text") node.value = cleanBlockText(node.value);
    if (node.type !== "element") return node;
    if (node.tagName === "img") return imageOrLink(node, inLink);
    if (node.tagName === "a") rewriteLinkElement(node, ids);
    rewriteNodes(node, inLink || node.tagName === "a", ids);
    return node;
  }) as typeof parent.children;
}

function rewriteLinkElement(node: Element, ids: ReadonlySet<string>): void {
  const raw = node.properties["href"];
  const href = typeof raw === "string" ? hrefIfSafe(raw) : undefined;
  delete node.properties["rel"];
  if (href === undefined) {
    delete node.properties["href"];
    return;
  }
  const anchor = safeAnchorOf(href);
  node.properties["href"] = anchor !== undefined && ids.has(anchor) ? `#${anchor}` : href;
  if (!href.startsWith("#")) node.properties["rel"] = rel;
}

function safeAnchorOf(href: string): string | undefined {
  if (!href.startsWith("#")) return undefined;
  try {
    return idPrefix + decodeURIComponent(href.slice(1));
  } catch {
    return undefined;
  }
}

/** Replaces images of other servers by links, so that they are not loaded (`docs/spec/markdown.md`). */
function imageOrLink(node: Element, inLink: boolean): ElementContent {
  const { src, alt, title } = node.properties;
  const url = typeof src === "string" ? src : "";
  const says = readAlt(typeof alt === "string" ? cleanText(alt) : "");
  const text = says.alt || url;
  if (assetUrl.test(url)) {
    const properties = {
      src: url,
      alt: says.alt,
      loading: "lazy",
      ...(title ? { title: cleanText(String(title)) } : {}),
      ...(says.width === null ? {} : { width: String(says.width) }),
    };
    return { type: "element", tagName: "img", properties, children: [] };
  }
  const href = hrefIfSafe(url);
  if (inLink || href === undefined || href === "") return { type: "text", value: text };
  // `rehypeFigures` moves the caption below
  const caption = title ? { dataCaption: cleanText(String(title)) } : {};
  const properties = { href, rel, ...caption };
  return { type: "element", tagName: "a", properties, children: [{ type: "text", value: text }] };
}
