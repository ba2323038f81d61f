/** Adapts Milkdown's CommonMark and GFM nodes, and adds nodes of our own. */
import {
  docSchema,
  headingIdGenerator,
  headingSchema,
  headingAttr,
  paragraphAttr,
  paragraphSchema,
  textSchema,
  hardbreakAttr,
  hardbreakSchema,
  blockquoteAttr,
  blockquoteSchema,
  codeBlockAttr,
  codeBlockSchema,
  hrAttr,
  hrSchema,
  imageAttr,
  imageSchema,
  bulletListAttr,
  bulletListSchema,
  orderedListAttr,
  orderedListSchema,
  listItemAttr,
  emphasisAttr,
  emphasisSchema,
  strongAttr,
  strongSchema,
  inlineCodeAttr,
  inlineCodeSchema,
  linkAttr,
  linkSchema,
  htmlAttr,
  htmlSchema,
} from "@milkdown/kit/preset/commonmark";
import {
  extendListItemSchemaForTask,
  footnoteDefinitionSchema,
  footnoteReferenceSchema,
  strikethroughAttr,
  strikethroughSchema,
  tableCellSchema,
  tableHeaderRowSchema,
  tableHeaderSchema,
  tableRowSchema,
  tableSchema,
} from "@milkdown/kit/preset/gfm";
import type { Ctx } from "@milkdown/kit/ctx";
import type { DOMOutputSpec, Node } from "@milkdown/kit/prose/model";
import type { NodeSchema } from "@milkdown/kit/transformer";
import { $markSchema, $nodeSchema } from "@milkdown/kit/utils";
import { alertGrades, isAlertKind } from "#core/markdown/alert-grades.ts";
import { assetUrl, hrefIfSafe } from "#core/markdown/links.ts";
import { readAlt, writeAlt } from "#core/markdown/image-alt.ts";

/** Disables Milkdown's conversion of Markdown. `from-mdast.ts` and `to-mdast.ts` do it instead. */
const noConversion = {
  parseMarkdown: { match: () => false, runner: () => undefined },
  toMarkdown: { match: () => false, runner: () => undefined },
};

const textAttribute = (node: Node, name: string): string => String(node.attrs[name] ?? "");

const heading = headingSchema.extendSchema((base) => (ctx) => ({
  ...base(ctx),
  // The first level is the SOP's title, so a pasted first-level heading becomes a second-level one (lint:
  // struct/no-h1).
  parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level: Math.max(2, level) } })),
  // Headings have no ids in the editor: the reader's anchors use them, and a page must not have the same id twice.
  toDOM: (node) => [`h${node.attrs["level"]}`, 0],
}));

const codeBlock = codeBlockSchema.extendSchema((base) => (ctx) => {
  const spec = base(ctx);
  return { ...spec, attrs: { ...spec.attrs, meta: { default: null } } };
});

/** An item may begin with any block, as in Markdown. */
export const listItem = extendListItemSchemaForTask.extendSchema((base) => (ctx) => {
  const spec = base(ctx);
  return { ...spec, content: "block+", attrs: { ...spec.attrs, spread: { default: false } } };
});

const link = linkSchema.extendSchema((base) => (ctx) => ({
  ...base(ctx),
  inclusive: false,
  parseDOM: [
    {
      tag: "a[href]",
      getAttrs: (dom: HTMLElement) => {
        const href = hrefIfSafe(dom.getAttribute("href") ?? "");
        return href === undefined ? false : { href, title: dom.getAttribute("title") };
      },
    },
  ],
  toDOM: (mark) => {
    const href = hrefIfSafe(String(mark.attrs["href"] ?? ""));
    const title: unknown = mark.attrs["title"];
    return [
      "a",
      { ...(href === undefined ? { "data-inert": "" } : { href }), ...(title ? { title: String(title) } : {}) },
      0,
    ];
  },
}));

/** Splits an alternative text such as `Valve|300` into the attributes for its words and its width. */
function altAttributesOf(written: string): Record<string, string> {
  const { alt, width } = readAlt(written);
  return width === null ? { alt } : { alt, width: String(width) };
}

function altOfElement(dom: HTMLElement, src: string): string {
  const alt = dom.getAttribute("alt") ?? "";
  const width = Number(dom.getAttribute("width"));
  return assetUrl.test(src) && width > 0 ? writeAlt({ alt, width }) : alt;
}

/**
 * Returns the attributes of the image node for a figure; false if the figure isn't one image of this server with a
 * caption.
 */
function attributesOfFigure(dom: HTMLElement): Record<string, string> | false {
  const image = dom.querySelector("img");
  const caption = dom.querySelector("figcaption, [data-caption]")?.textContent.replace(/\s+/g, " ").trim() ?? "";
  const src = image?.getAttribute("src") ?? "";
  // A figure with several images, or with an image from elsewhere, is read part by part.
  if (!image || caption === "" || !assetUrl.test(src) || dom.querySelectorAll("img").length > 1) return false;
  return { src, alt: altOfElement(image, src), title: caption };
}

function withCaptionElement(image: DOMOutputSpec, caption: string): DOMOutputSpec {
  return caption === ""
    ? image
    : ["span", { "data-figure": "" }, image, ["span", { "data-caption": "", class: "caption" }, caption]];
}

/** Shows only images of this server, so that a page never loads one from another host. */
const image = imageSchema.extendSchema((base) => (ctx) => ({
  ...base(ctx),
  parseDOM: [
    {
      tag: "img[src]",
      getAttrs: (dom: HTMLElement) => {
        const src = dom.getAttribute("src") ?? "";
        return /^(?:data|blob|file|javascript):/i.test(src)
          ? false
          : { src, alt: altOfElement(dom, src), title: dom.getAttribute("title") ?? "" };
      },
    },
    {
      // A figure is an image with a caption.
      tag: "span[data-figure], figure",
      priority: 60,
      getAttrs: (dom: HTMLElement) => attributesOfFigure(dom),
    },
    {
      tag: "span[data-image]",
      getAttrs: (dom: HTMLElement) => ({ src: dom.dataset["image"] ?? "", alt: dom.dataset["alt"] ?? "" }),
    },
  ],
  toDOM: (node) =>
    assetUrl.test(textAttribute(node, "src"))
      ? withCaptionElement(
          ["img", { src: textAttribute(node, "src"), ...altAttributesOf(textAttribute(node, "alt")) }],
          textAttribute(node, "title"),
        )
      : [
          "span",
          { "data-image": textAttribute(node, "src"), "data-alt": textAttribute(node, "alt"), class: "editor-chip" },
          `Image: ${readAlt(textAttribute(node, "alt")).alt || textAttribute(node, "src")}`,
        ],
}));

const table = tableSchema.extendSchema((base) => (ctx) => ({ ...base(ctx), content: "table_header_row table_row*" }));

/** Alignment is an attribute, not a style: the content security policy allows no inline style. Cells never span. */
function alignedCell(tag: "td" | "th") {
  return (base: (ctx: Ctx) => NodeSchema) =>
    (ctx: Ctx): NodeSchema => ({
      ...base(ctx),
      attrs: {
        colspan: { default: 1 },
        rowspan: { default: 1 },
        colwidth: { default: null },
        alignment: { default: null },
      },
      parseDOM: [{ tag, getAttrs: (dom: HTMLElement) => ({ alignment: cellAlignmentOf(dom) }) }],
      toDOM: (node) => [tag, node.attrs["alignment"] ? { align: textAttribute(node, "alignment") } : {}, 0],
    });
}

function cellAlignmentOf(cell: HTMLElement): string | null {
  const value = cell.getAttribute("align") ?? cell.style.textAlign;
  return ["left", "right", "center"].includes(value) ? value : null;
}

const tableCell = tableCellSchema.extendSchema(alignedCell("td"));
const tableHeader = tableHeaderSchema.extendSchema(alignedCell("th"));

const alert = $nodeSchema("alert", () => ({
  ...noConversion,
  content: "block+",
  group: "block",
  defining: true,
  attrs: { kind: { default: "warning" }, marker: { default: null }, apart: { default: false } },
  parseDOM: [
    {
      tag: "div[data-alert]",
      contentElement: "div",
      getAttrs: (dom: HTMLElement) => (isAlertKind(dom.dataset["alert"]) ? { kind: dom.dataset["alert"] } : false),
    },
  ],
  toDOM: (node) => {
    const kind = isAlertKind(node.attrs["kind"]) ? node.attrs["kind"] : "note";
    return [
      "div",
      { "data-alert": kind, class: `alert alert-${kind}` },
      ["p", { class: "alert-title", contenteditable: "false" }, alertGrades[kind].title],
      ["div", 0],
    ];
  },
}));

/** A `<br>` inside a line or a table cell, kept as it was written. */
const htmlBreak = $nodeSchema("html_break", () => ({
  ...noConversion,
  inline: true,
  group: "inline",
  selectable: false,
  attrs: { value: { default: "<br>" } },
  leafText: () => "\n",
  parseDOM: [
    {
      tag: "br[data-html]",
      priority: 60,
      getAttrs: (dom: HTMLElement) => ({ value: dom.dataset["html"] || "<br>" }),
    },
  ],
  toDOM: (node) => ["br", { "data-html": textAttribute(node, "value") }],
}));

/** Raw HTML of a document, shown as source and never run. */
const htmlBlock = $nodeSchema("html_block", () => ({
  ...noConversion,
  group: "block",
  atom: true,
  attrs: { value: { default: "" } },
  parseDOM: [{ tag: "pre[data-html-block]", getAttrs: (dom: HTMLElement) => ({ value: dom.textContent }) }],
  toDOM: (node) => ["pre", { "data-html-block": "", class: "editor-raw" }, textAttribute(node, "value")],
}));

/** Markdown that the editor has no block for, edited as text. */
const source = $nodeSchema("source_block", () => ({
  ...noConversion,
  group: "block",
  content: "text*",
  marks: "",
  code: true,
  defining: true,
  parseDOM: [{ tag: "pre[data-source]", preserveWhitespace: "full" as const }],
  toDOM: () => ["pre", { "data-source": "", class: "editor-raw" }, ["code", 0]],
}));

/** Inline Markdown that the editor has no node for, such as a reference link. */
const sourceInline = $nodeSchema("source_inline", () => ({
  ...noConversion,
  inline: true,
  group: "inline",
  atom: true,
  attrs: { value: { default: "" } },
  parseDOM: [{ tag: "span[data-source]", getAttrs: (dom: HTMLElement) => ({ value: dom.textContent }) }],
  toDOM: (node) => ["span", { "data-source": "", class: "editor-chip" }, textAttribute(node, "value")],
}));

/** Marks that Markdown lacks and procedures need, such as keys, H₂O and m². They are written as HTML tags. */
const htmlTag = $markSchema("html_tag", () => ({
  ...noConversion,
  attrs: { name: { default: "kbd" } },
  inclusive: false,
  parseDOM: ["kbd", "sub", "sup:not([data-type])"].map((tag) => ({ tag, attrs: { name: tag.slice(0, 3) } })),
  toDOM: (mark) => [String(mark.attrs["name"]), 0],
}));

export const schemaPlugins = [
  docSchema,
  paragraphAttr,
  paragraphSchema,
  headingIdGenerator,
  headingAttr,
  heading,
  hardbreakAttr,
  hardbreakSchema,
  blockquoteAttr,
  blockquoteSchema,
  alert,
  source,
  codeBlockAttr,
  codeBlock,
  hrAttr,
  hrSchema,
  imageAttr,
  image,
  bulletListAttr,
  bulletListSchema,
  orderedListAttr,
  orderedListSchema,
  listItemAttr,
  listItem,
  table,
  tableHeaderRowSchema,
  tableRowSchema,
  tableHeader,
  tableCell,
  footnoteDefinitionSchema,
  footnoteReferenceSchema,
  htmlBlock,
  htmlBreak,
  htmlAttr,
  htmlSchema,
  sourceInline,
  emphasisAttr,
  emphasisSchema,
  strongAttr,
  strongSchema,
  inlineCodeAttr,
  inlineCodeSchema,
  linkAttr,
  link,
  strikethroughAttr,
  strikethroughSchema,
  htmlTag,
  textSchema,
].flat();
