import type { Element, Root } from "hast";
import type { ConversionReport } from "#core/import/markdown/report.ts";
import { texts } from "#core/import/markdown/note-texts.ts";
import { AppError } from "#core/errors.ts";
import { splitFrontMatter, type FrontMatter } from "#core/markdown/front-matter.ts";
import { parseHtmlPage } from "#core/markdown/html-tree.ts";
import { utf8Length } from "#core/markdown/limits.ts";
import { limits } from "#core/limits.ts";
import type { ConvertedText } from "../converted.ts";
import { renameHeadingLinks } from "./anchors.ts";
import { convertConfluenceHtml, confluencePageTitle, rewriteStorageTags } from "#core/markdown/html/confluence.ts";
import { eachElement, descendantsNamed, findElement, textProperty, nodeText } from "#core/markdown/html/elements.ts";
import { convertGoogleDocsHtml } from "#core/markdown/html/google-docs.ts";
import { writeMarkdownDocument } from "./html-text.ts";
import { hasSingleTopHeading, removeWordlessHeadings } from "./tidy-headings.ts";
import { sentences } from "../../language/catalog.ts";

const refusals = sentences("core.import.html.refusals", {
  tooLarge: "it is larger than {most} MiB",
  empty: "the file is empty",
  nestedTooDeeply: "it is nested too deeply",
  noText: "it holds no text",
  notText: "it is not text (it holds NUL bytes)",
  unknownEncoding: "it is written in {name}, which is not read: save it as UTF-8",
});

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** The first character of the placeholder for a site generator's tag while HTML is parsed. */
const templateMark = "\uE0E0";

/**
 * Replaces `{{ … }}` and `{% … %}` by placeholders, because they can contain quotes and angle brackets that are not
 * HTML. The returned `show` restores them.
 */
function replaceTemplateTags(html: string): { text: string; show(markdown: string): string } {
  const tags: string[] = [];
  const text = html.replace(/\{\{[^]*?\}\}|\{%[^]*?%\}/g, (tag) => `${templateMark}${tags.push(tag) - 1}\uE0E1`);
  const restoreTags = (markdown: string) =>
    markdown
      .replace(/%EE%83%A0(\d+)%EE%83%A1/gi, `${templateMark}$1\uE0E1`)
      .replace(/\uE0E0(\d+)\uE0E1/g, (_, index: string) => (tags[Number(index)] ?? "").replace(/\s+/g, " "));
  return { text, show: restoreTags };
}

/**
 * Converts an HTML file to Markdown: a page of any tool, an export of Confluence or Google Docs, or a fragment.
 * @throws AppError with a sentence that continues after the file's name
 */
export function readHtmlFile(bytes: Uint8Array, report: ConversionReport): ConvertedText {
  if (bytes.length > limits.importSource) {
    throw new AppError("too_large", refusals.tooLarge({ most: limits.importSource / 1024 / 1024 }));
  }
  const { header, html } = splitPageFrontMatter(decodeHtml(bytes, report));
  if (html.trim() === "") throw new AppError("invalid_input", refusals.empty());
  try {
    const { text, images } = convertHtmlPage(html, report);
    return { text: header + text, images };
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("unprocessable", refusals.nestedTooDeeply());
    throw error;
  }
}

function convertHtmlPage(html: string, report: ConversionReport): ConvertedText {
  const templates = replaceTemplateTags(html);
  const document = parseHtmlPage(rewriteStorageTags(templates.text));
  const title = documentTitleOf(document);
  const content = pageContentElement(document);
  const head = [...descendantsNamed(document, "style"), ...descendantsNamed(document, "base")];
  const own = new Set([...descendantsNamed(content, "style"), ...descendantsNamed(content, "base")]);
  const root: Root = {
    type: "root",
    children: [...head.filter((node) => !own.has(node)), ...content.children] as Root["children"],
  };
  const images = new Map<string, Uint8Array>();
  convertGoogleDocsHtml(root);
  for (const [name, times] of convertConfluenceHtml(root)) report.add("macro", texts.macro({ count: times, name }));
  removeHiddenTags(root);
  replaceDataImages(root, images);
  removeWordlessHeadings(root);
  renameHeadingLinks(root);
  const lang = pageLanguageOf(document);
  const front: FrontMatter = {
    ...(title !== undefined && !hasSingleTopHeading(root) && { title }),
    ...(lang !== undefined && !/^en\b/.test(lang) && { lang }),
  };
  if (front.lang !== undefined) report.add("language", texts.stated({ tag: front.lang }));
  const converted = writeMarkdownDocument(root, front, images, report);
  // refuse a page template, which has no text of its own
  if (utf8Length(converted.text) === 0) throw new AppError("invalid_input", refusals.noText());
  return { ...converted, text: templates.show(converted.text) };
}

/**
 * Splits off front matter that site generators put before a page. @throws AppError for front matter in a programming
 * language
 */
function splitPageFrontMatter(html: string): { header: string; html: string } {
  const { raw, body } = splitFrontMatter(html);
  return raw === null ? { header: "", html } : { header: `---\n${raw}\n---\n\n`, html: body };
}

function documentTitleOf(document: Root): string | undefined {
  const own = confluencePageTitle(document);
  if (own !== undefined) return own;
  // search only in the head, because a drawing can have title elements too
  const page = findElement(document, ({ tagName }) => tagName === "head");
  const [element] = page === undefined ? [] : descendantsNamed(page, "title");
  const title = element === undefined ? "" : nodeText(element).replace(/\s+/g, " ").trim();
  return title === "" || title.includes(templateMark) ? undefined : title;
}

/** Returns the language that the page declares. */
function pageLanguageOf(document: Root): string | undefined {
  const page = findElement(document, ({ tagName }) => tagName === "html");
  const tag = page === undefined ? "" : textProperty(page, "lang").trim();
  const [, language = "", rest = ""] = /^([A-Za-z]{2,3})((?:-[A-Za-z0-9]{2,8})*)$/.exec(tag) ?? [];
  return language === "" ? undefined : language.toLowerCase() + rest;
}

/** Returns the element with the page's own text, or the whole page. */
function pageContentElement(document: Root): Root | Element {
  const ids = ["main-content", "contents"];
  return (
    findElement(document, (node) => ids.includes(textProperty(node, "id")) && nodeText(node).trim() !== "") ??
    findElement(document, ({ tagName }) => tagName === "body") ??
    document
  );
}

const hiddenTags = new Set(["head", "script", "nav", "noscript", "template", "link", "meta", "title"]);

function removeHiddenTags(parent: Root | Element): void {
  parent.children = parent.children.filter(
    (node) => node.type !== "element" || !hiddenTags.has(node.tagName),
  ) as typeof parent.children;
  for (const node of parent.children) if (node.type === "element") removeHiddenTags(node);
}

/** Turns embedded images (`data:` addresses) into separate files. */
function replaceDataImages(root: Root, images: Map<string, Uint8Array>): void {
  eachElement(root, (node) => {
    if (node.tagName !== "img") return;
    const [, kind, data] =
      /^data:image\/([a-z0-9.+-]+);base64,([A-Za-z0-9+/=\s]+)$/i.exec(textProperty(node, "src")) ?? [];
    if (kind === undefined || data === undefined) return;
    const name = `embedded-${images.size + 1}.${kind.replace(/\W.*/, "")}`;
    try {
      images.set(
        name,
        Uint8Array.from(atob(data), (character) => character.charCodeAt(0)),
      );
      node.properties["src"] = name;
    } catch {
      // skip invalid base64: the address is then handled like any other image that can't be shown
    }
  });
}

/**
 * Decodes UTF-8, or else the encoding that the page declares. Line ends become LF.
 * @throws AppError for bytes that aren't text
 */
function decodeHtml(bytes: Uint8Array, report: ConversionReport): string {
  return decodeBytes(bytes, report).replace(/\r\n?/g, "\n");
}

function decodeBytes(bytes: Uint8Array, report: ConversionReport): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.includes(0)) throw new AppError("invalid_input", refusals.notText());
  try {
    return strictUtf8.decode(bytes);
  } catch {
    const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, 2048));
    const name = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ?? "windows-1252";
    report.add("encoding", texts.encoding({ name }));
    try {
      return new TextDecoder(name).decode(bytes);
    } catch {
      throw new AppError("invalid_input", refusals.unknownEncoding({ name }));
    }
  }
}
