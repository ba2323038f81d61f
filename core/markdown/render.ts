import type { Element, Nodes, Root } from "hast";
import { raw } from "hast-util-raw";
import { sanitize } from "hast-util-sanitize";
import type { Root as MdastRoot } from "mdast";
import rehypeSanitize from "rehype-sanitize";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { AppError } from "#core/errors.ts";
import { remarkAlerts } from "./alerts.ts";
import { rehypeFigures } from "./figures.ts";
import { parseHtml, writeHtml } from "./html-tree.ts";
import { parseMarkdown } from "./parse.ts";
import { rehypeLinks } from "./rehype-links.ts";
import { schema } from "./sanitise-schema.ts";
import { textFile } from "./text-file.ts";
import { refusals } from "./refusals.ts";

/** Turns the tree that remark parses into the tree that rehype writes. */
const toSafeHtml = unified()
  .use(remarkAlerts)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(parseRawHtmlPlugin)
  .use(rehypeLinks)
  .use(rehypeFigures)
  .use(rehypeSanitize, schema)
  .freeze();

/** The maximum number of parses. Each one fixes side effects of the parse before, such as links within links. */
const readingsAtMost = 8;

/**
 * Renders Markdown as sanitised HTML for a page. Sanitising is the last step (`docs/spec/markdown.md`). The HTML parses
 * to the same tree, alone or inside other elements.
 * @throws AppError `unprocessable` if the text can't be parsed
 */
export function renderHtml(markdown: string): string {
  return renderWithTree(markdown).html;
}

/**
 * Returns the HTML of `renderHtml` and its tree, as a browser would parse it. Throws like `renderHtml`.
 * @param finish sets attributes in the tree before it is written
 */
export function renderWithTree(markdown: string, finish?: (tree: Root) => void): { html: string; tree(): Root } {
  try {
    let { tree, hasRawHtml } = renderSafeTree(parseMarkdown(markdown));
    if (hasRawHtml) {
      const text = stableSanitizedHtml(writeHtml(tree));
      if (finish === undefined) return { html: text, tree: () => parseHtml(text) };
      tree = parseHtml(text);
    }
    finish?.(tree);
    return { html: writeHtml(tree), tree: () => tree };
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", refusals.nestedTooDeeply());
    throw error;
  }
}

/**
 * @param text the tree, which this function changes by adding titles to alerts. With raw HTML, the result can be a tree
 *   that no HTML text describes.
 */
export function renderSafeTree(text: MdastRoot): { tree: Root; hasRawHtml: boolean } {
  const data: Record<string, unknown> = {};
  const tree = toSafeHtml.runSync(text, { ...textFile(), data });
  return { tree, hasRawHtml: data["hasRawHtml"] === true };
}

/**
 * Parses and writes the HTML until it no longer changes. Raw HTML can make a tree that no HTML text describes. Inside a
 * page, a stray end tag would then close an element of the page, and the rest of the document would be outside of its
 * article.
 */
function stableSanitizedHtml(html: string): string {
  let text = html;
  for (let reading = 0; reading < readingsAtMost; reading++) {
    const next = writeHtml(sanitize(parseHtml(text), schema));
    if (next === text) return text;
    text = next;
  }
  throw new AppError("unprocessable", refusals.ambiguousHtml());
}

/** unified plugin: parses raw HTML, only in texts that contain some, because this step takes longest. */
function parseRawHtmlPlugin(): (tree: Root, file: { data: Record<string, unknown> }) => Root {
  return (tree, file) => {
    if (!hasRawNode(tree)) return tree;
    file.data["hasRawHtml"] = true;
    const page = raw(tree) as Root;
    replaceDisallowedElements(page);
    return page;
  };
}

const blockNames = new Set(
  (
    "address article aside center dd dir dl dt fieldset footer form header hgroup legend main menu nav optgroup option " +
    "search textarea"
  ).split(" "),
);

/**
 * Replaces elements that views don't allow by allowed ones with the same look: `<strike>` by `<del>`, `<center>` by
 * `<div>`.
 */
function replaceDisallowedElements(parent: Root | Element): void {
  for (const node of parent.children) {
    if (node.type !== "element") continue;
    if (node.tagName === "s" || node.tagName === "strike") node.tagName = "del";
    else if (blockNames.has(node.tagName)) node.tagName = "div";
    replaceDisallowedElements(node);
  }
}

function hasRawNode(node: Nodes): boolean {
  return node.type === "raw" || ("children" in node && node.children.some(hasRawNode));
}
