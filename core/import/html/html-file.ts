import type { Element, Root } from "hast";
import type { Report } from "#core/import/markdown/report.ts";
import { AppError } from "#core/errors.ts";
import { splitFrontMatter } from "#core/markdown/front-matter.ts";
import { parseHtmlPage } from "#core/markdown/html-tree.ts";
import { utf8Length } from "#core/markdown/limits.ts";
import { limits } from "#core/limits.ts";
import type { ConvertedText } from "../converted.ts";
import { linkHeadings } from "./anchors.ts";
import { mapConfluence, pageTitle } from "./confluence.ts";
import { takeDataImages } from "./data-images.ts";
import { decodeHtml } from "./decode-html.ts";
import { elementsOf, findElement, property, textOf } from "./elements.ts";
import { mapGoogleDocs } from "./google-docs.ts";
import { joinDocument } from "./html-text.ts";
import { mapInlineStyles } from "./inline-styles.ts";
import { hideTemplateTags, templateMark } from "./template-tags.ts";
import { writeStorageTags } from "./storage-format.ts";
import { tidyBlocks } from "./tidy-blocks.ts";

/**
 * An HTML file as Markdown: a page of any tool, an export of Confluence or Google Docs, or a fragment.
 * @throws AppError with a sentence that goes on after the file's name
 */
export function readHtml(bytes: Uint8Array, report: Report): ConvertedText {
  if (bytes.length > limits.importSource) {
    throw new AppError("too_large", `it is larger than ${limits.importSource / 1024 / 1024} MiB`);
  }
  const { header, html } = splitHeader(decodeHtml(bytes, report));
  if (html.trim() === "") throw new AppError("invalid_input", "the file is empty");
  try {
    const { text, images } = convert(html, report);
    return { text: header + text, images };
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", "it is nested too deeply");
    throw error;
  }
}

function convert(html: string, report: Report): ConvertedText {
  const templates = hideTemplateTags(html);
  const document = parseHtmlPage(writeStorageTags(templates.text));
  const title = titleOf(document);
  const root: Root = { type: "root", children: contentOf(document).children as Root["children"] };
  const images = new Map<string, Uint8Array>();
  mapInlineStyles(root, elementsOf(document, "style").map(textOf).join("\n"));
  mapGoogleDocs(root);
  mapConfluence(root, report);
  dropFurniture(root);
  takeDataImages(root, images);
  tidyBlocks(root);
  linkHeadings(root);
  const hasOneTitle = elementsOf(root, "h1").length === 1;
  const front = title === undefined || hasOneTitle ? {} : { title };
  const converted = joinDocument(root, front, images, report);
  // a template that makes pages of others has no text of its own
  if (utf8Length(converted.text) === 0) throw new AppError("invalid_input", "it holds no text");
  return { ...converted, text: templates.show(converted.text) };
}

/** Site generators put front matter before the page. @throws AppError for front matter in a programming language */
function splitHeader(html: string): { header: string; html: string } {
  const { raw, body } = splitFrontMatter(html);
  return raw === null ? { header: "", html } : { header: `---\n${raw}\n---\n\n`, html: body };
}

function titleOf(document: Root): string | undefined {
  const own = pageTitle(document);
  if (own !== undefined) return own;
  const [element] = elementsOf(document, "title");
  const title = element === undefined ? "" : textOf(element).replace(/\s+/g, " ").trim();
  return title === "" || title.includes(templateMark) ? undefined : title;
}

/** Where the page's own words are. */
function contentOf(document: Root): Root | Element {
  const ids = ["main-content", "contents"];
  return (
    findElement(document, (node) => ids.includes(property(node, "id")) && textOf(node).trim() !== "") ??
    findElement(document, ({ tagName }) => tagName === "body") ??
    document
  );
}

const furniture = new Set(["head", "script", "style", "nav", "noscript", "template", "link", "meta", "title"]);

function dropFurniture(parent: Root | Element): void {
  parent.children = parent.children.filter(
    (node) => node.type !== "element" || !furniture.has(node.tagName),
  ) as typeof parent.children;
  for (const node of parent.children) if (node.type === "element") dropFurniture(node);
}
