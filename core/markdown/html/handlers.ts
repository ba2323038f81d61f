import type { Element, ElementContent } from "hast";
import { defaultHandlers, type Handle, type State } from "hast-util-to-mdast";
import type { BlockContent, DefinitionContent, Html, ListItem, PhrasingContent, RootContent } from "mdast";
import { alertKinds } from "../alert-grades.ts";
import { writeHtml } from "../html-tree.ts";
import { assetUrl } from "../links.ts";
import { writeAlt } from "../image-alt.ts";
import { findElement, hasClass, isElement, nodeText } from "./elements.ts";

/** Converts elements for which the converter's own handlers would lose something. */
export const handlers: Record<string, Handle> = {
  a: (state, node) =>
    (node.properties["href"] === undefined ? state.all(node) : defaultHandlers.a(state, node)) as never,
  br: (state, node) => (state.inTable ? htmlNodeOf("<br>", "br") : defaultHandlers.br(state, node)),
  li: (state, node) => {
    const item = defaultHandlers.li(state, node) as ListItem;
    return { ...item, spread: node.children.some((child) => isElement(child, "p")) };
  },
  img: (state, node) => defaultHandlers.img(state, withWidthInAlt(node)),
  figure: convertFigure,
  sub: convertToInlineHtml,
  sup: (state, node) => footnoteReference(node) ?? convertToInlineHtml(state, node),
  kbd: convertToInlineHtml,
  details: convertDetails,
  div: (state, node) => convertAlert(state, node) ?? state.toFlow(state.all(node)),
  section: (state, node) => convertFootnotes(state, node) ?? state.toFlow(state.all(node)),
  table: (state, node) =>
    state.inTable || isPlainTable(node)
      ? defaultHandlers.table(state, node)
      : [writeTableAsHtml(node), ...footnoteReferencesBelow(node)],
};

/** Adds the width to the alternative text of an image of this server. Widths from other pages are dropped. */
function withWidthInAlt(node: Element): Element {
  const { src, alt, width } = node.properties;
  if (width === undefined || !assetUrl.test(String(src))) return node;
  const written = writeAlt({ alt: String(alt ?? ""), width: Number(width) });
  return { ...node, properties: { ...node.properties, alt: written } };
}

/** Converts a figure: the caption becomes the image's title. A figure with other content is replaced by its content. */
function convertFigure(state: State, node: Element): ReturnType<Handle> {
  const children = node.children.filter((child) => child.type === "element" || !isBlankText(child));
  const [image, caption] = children;
  if (
    children.length !== 2 ||
    !isElementNamed(image, "img") ||
    !isElementNamed(caption, "figcaption") ||
    !isPlainCaption(caption)
  )
    return state.toFlow(state.all(node));
  const title = oneLine(nodeText(caption)).trim();
  if (title === "") return state.toFlow(state.all(node));
  return state.toFlow([state.one({ ...image, properties: { ...image.properties, title } }, node)].flat() as never);
}

/** Tells whether a caption can be a title, which contains only words. */
function isPlainCaption(caption: Element): boolean {
  return findElement(caption, ({ tagName }) => !["strong", "em"].includes(tagName)) === undefined;
}

function isElementNamed(node: ElementContent | undefined, name: string): node is Element {
  return node?.type === "element" && node.tagName === name;
}

function isBlankText(node: ElementContent): boolean {
  return node.type !== "text" || node.value.trim() === "";
}

/** @param name the tag name, which says whether the HTML is inline or a block */
function htmlNodeOf(value: string, name: string): Html {
  return { type: "html", value, data: { hName: name } } as Html;
}

function convertToInlineHtml(state: State, node: Element): RootContent[] {
  const name = node.tagName;
  return [htmlNodeOf(`<${name}>`, name), ...state.all(node), htmlNodeOf(`</${name}>`, name)] as RootContent[];
}

function convertAlert(state: State, node: Element): RootContent | undefined {
  const kind = alertKinds.find((name) => hasClass(node, `alert-${name}`));
  if (kind === undefined) return undefined;
  const body = node.children.filter((child) => !(child.type === "element" && hasClass(child, "alert-title")));
  const flow = state.toFlow(state.all({ ...node, children: body })) as (BlockContent | DefinitionContent)[];
  const [first, ...rest] = flow;
  const marker: PhrasingContent = { type: "text", value: `[!${kind.toUpperCase()}]` };
  if (first?.type !== "paragraph")
    return { type: "blockquote", children: [{ type: "paragraph", children: [marker] }, ...flow] };
  const opening: PhrasingContent[] = [{ type: "text", value: `${marker.value}\n` }, ...first.children];
  return { type: "blockquote", children: [{ type: "paragraph", children: opening }, ...rest] };
}

function convertDetails(state: State, node: Element): RootContent[] {
  const summary = node.children.find((child) => child.type === "element" && child.tagName === "summary");
  const rest = node.children.filter((child) => child !== summary);
  const title = summary === undefined ? "" : `\n${oneLine(writeHtml(summary))}`;
  const open = node.properties["open"] === undefined || node.properties["open"] === false ? "" : " open";
  const flow = state.toFlow(state.all({ ...node, children: rest }));
  return [
    htmlNodeOf(`<details${open}>${title}`, "details"),
    ...(flow as RootContent[]),
    htmlNodeOf("</details>", "details"),
  ];
}

function footnoteReference(sup: Element): RootContent | undefined {
  const [anchor] = sup.children;
  if (anchor?.type !== "element" || anchor.properties["dataFootnoteRef"] === undefined) return undefined;
  const identifier = /^#user-content-fn-(.+)$/.exec(String(anchor.properties["href"]))?.[1];
  return identifier === undefined ? undefined : { type: "footnoteReference", identifier, label: identifier };
}

function convertFootnotes(state: State, section: Element): RootContent[] | undefined {
  if (section.properties["dataFootnotes"] === undefined) return undefined;
  const items = section.children
    .filter((child): child is Element => child.type === "element" && child.tagName === "ol")
    .flatMap((list) => list.children)
    .filter((child): child is Element => child.type === "element");
  return items.map((item) => {
    const identifier = String(item.properties["id"] ?? "").replace(/^user-content-fn-/, "");
    const children = state.toFlow(state.all(withoutBackLinks(item))) as (BlockContent | DefinitionContent)[];
    return { type: "footnoteDefinition" as const, identifier, label: identifier, children };
  });
}

function withoutBackLinks<Node extends ElementContent>(node: Node): Node {
  if (node.type !== "element") return node;
  const kept = node.children.filter(
    (child) => !(child.type === "element" && child.properties["dataFootnoteBackref"] !== undefined),
  );
  return { ...node, children: kept.map(withoutBackLinks) };
}

const blocks = new Set(["ul", "ol", "pre", "blockquote", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "details"]);

/** Tells whether Markdown has a form for a table: no merged cells, no captions, and only lines of text in its cells. */
function isPlainTable(table: Element): boolean {
  return table.children.every(function plain(node: ElementContent): boolean {
    if (node.type !== "element") return true;
    if (node.tagName === "caption" || blocks.has(node.tagName)) return false;
    if (cellSpan(node, "colSpan") > 1 || cellSpan(node, "rowSpan") > 1) return false;
    return node.children.every(plain);
  });
}

function cellSpan(node: Element, name: "colSpan" | "rowSpan"): number {
  return Number(node.properties[name] ?? 1);
}

/**
 * Writes a table as HTML with each row on a separate line, for git. A blank line would end the HTML block, so blank
 * lines in code become character references.
 */
function writeTableAsHtml(table: Element): Html {
  const rows = writeHtml(withOneLineAttributes(table)).replace(/<tr>|<\/(?:thead|tbody|tfoot|table)>/g, "\n$&");
  const kept = rows.replace(/<pre>[^]*?<\/pre>/g, (code) =>
    code.replace(/\n(?=[ \t]*\n)/g, "\n&#10;").replace(/&#10;\n/g, "&#10;"),
  );
  return htmlNodeOf(kept.replace(/\n[ \t]*(?=\n)/g, ""), "table");
}

/** Replaces line ends in attributes, because an HTML block can't have blank lines. */
function withOneLineAttributes<Node extends ElementContent>(node: Node): Node {
  if (node.type !== "element") return node;
  const properties = Object.fromEntries(
    Object.entries(node.properties).map(([name, value]) => [name, typeof value === "string" ? oneLine(value) : value]),
  );
  return { ...node, properties, children: node.children.map(withOneLineAttributes) };
}

/**
 * References to the footnotes of a table, for a paragraph below it. A footnote that only HTML refers to would not be
 * shown.
 */
function footnoteReferencesBelow(table: Element): RootContent[] {
  const found = new Map<string, RootContent>();
  const collectNotes = (node: Element): void => {
    const reference = node.tagName === "sup" ? footnoteReference(node) : undefined;
    if (reference?.type === "footnoteReference") found.set(reference.identifier, reference);
    for (const child of node.children) if (child.type === "element") collectNotes(child);
  };
  collectNotes(table);
  return found.size === 0 ? [] : [{ type: "paragraph", children: [...found.values()] as PhrasingContent[] }];
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}
