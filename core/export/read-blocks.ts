import type { Element, ElementContent, Root } from "hast";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { alertGrades, isAlertKind } from "../markdown/alert-grades.ts";
import { parseHtml } from "../markdown/html-tree.ts";
import { assetUrl, paperLink } from "../markdown/links.ts";
import {
  plainTextOfInlines,
  type ExportBlock,
  type ExportInline,
  type ListItem,
  type ExportMark,
  type ExportParagraph,
} from "./blocks.ts";
import { cleanBlockText, cleanText } from "../text/clean-text.ts";
import { isTextRightToLeft } from "./direction.ts";
import { createFootnoteReader, type Footnote } from "./read-notes.ts";
import { readHtmlTable } from "./read-table.ts";
import type { HtmlNode, HtmlBlockReader } from "./reader.ts";
import { refusals } from "./refusals.ts";

/** The maximum length of a document's HTML: HTML is a few times as long as its Markdown. */
const longest = 8 * limits.document;

/**
 * Turns the sanitised HTML of a document (`renderHtml`) into the blocks of an export. @throws AppError `too_large` for
 * longer HTML than any document has
 * @param rtl true for a right-to-left document
 */
export function readExportBlocks(html: string, rtl = false): ExportBlock[] {
  if (html.length > longest) throw new AppError("too_large", refusals.tooLarge());
  const tree = parseHtml(html);
  return readHtmlTree(tree, rtl);
}

const marks: Readonly<Record<string, ExportMark>> = {
  strong: "strong",
  em: "em",
  del: "del",
  sub: "sub",
  sup: "sup",
  kbd: "kbd",
};

function readHtmlTree(tree: Root, rtl: boolean): ExportBlock[] {
  const notes = createFootnoteReader(tree);
  /** Checkboxes at the start of list items. */
  const ticks = new Set<Element>();
  const shown = new Map<string, number>();
  /** The ids of footnotes that are being read. `inNotes` has the ids of footnotes inside another footnote. */
  const open: string[] = [];
  const inNotes = new Set<string>();

  function blocksOf(nodes: readonly HtmlNode[]): ExportBlock[] {
    const found: ExportBlock[] = [];
    let loose: ExportInline[] = [];
    const flushLoose = (): void => {
      const children = trimmedInlines(loose);
      if (children.length > 0) found.push(paragraphOf(children));
      loose = [];
    };
    for (const node of withoutMarksAroundBlocks(nodes)) {
      const read = node.type === "element" ? blocksOfElement(node) : undefined;
      if (read === undefined) {
        // read these nodes at once, because footnotes are numbered in the order of the text
        loose.push(...inlinesOf([node]));
        continue;
      }
      flushLoose();
      found.push(...read);
    }
    flushLoose();
    return found;
  }

  /** Returns the blocks of a node; undefined for a node inside a line of text. */
  function blocksOfElement(node: Element): ExportBlock[] | undefined {
    // only raw HTML has blocks inside a line, or images inside code: the inner blocks then replace the line or code
    if (/^(h[1-6]|p|pre|figcaption)$/.test(node.tagName) && hasBlocks(node)) return blocksOf(node.children);
    if (node.tagName === "pre" && containsElement(node, isImage)) return blocksOf(node.children);
    const heading = /^h([1-6])$/.exec(node.tagName);
    // skip the heading of the footnotes, which is only for screen readers
    if (node.properties["id"] === "footnote-label") return [];
    if (heading) return [headingOf(node, Number(heading[1]))];
    switch (node.tagName) {
      case "p": {
        const children = trimmedInlines(inlinesOf(node.children));
        return children.length > 0 ? [paragraphOf(children)] : [];
      }
      case "ul":
      case "ol":
        return [listOf(node)];
      case "table":
        return readHtmlTable(node, reader);
      case "pre":
        return [codeBlockOf(node)];
      case "blockquote":
        return [{ type: "quote", children: blocksOf(node.children) }];
      case "details":
        return [detailsOf(node)];
      case "div":
        return divOf(node);
      case "hr":
        return [{ type: "rule" }];
      case "figure":
        return blocksOf(node.children);
      case "figcaption": {
        const children = trimmedInlines(inlinesOf(node.children));
        return children.length > 0 ? [{ ...paragraphOf(children), type: "caption" }] : [];
      }
      case "section":
        return node === notes.section ? [] : blocksOf(node.children);
      default:
        return hasBlocks(node) ? blocksOf(node.children) : undefined;
    }
  }

  function headingOf(node: Element, level: number): ExportBlock {
    const children = trimmedInlines(inlinesOf(node.children));
    const id = String(node.properties["id"] ?? "");
    return { type: "heading", level, id, rtl: isTextRightToLeft(plainTextOfInlines(children), rtl), children };
  }

  function paragraphOf(children: ExportInline[]): ExportParagraph {
    return { type: "paragraph", rtl: isTextRightToLeft(plainTextOfInlines(children), rtl), children };
  }

  function listOf(node: Element): ExportBlock {
    const items = groupListContent(node.children).flatMap((group) => {
      const [first] = group;
      if (first?.type === "element" && first.tagName === "li") return [itemOf(first)];
      const children = blocksOf(group);
      return children.length > 0 ? [{ checked: null, children }] : [];
    });
    // parse the number like browsers: "5b" is 5, and "b" is no number
    const start = Number.parseInt(String(node.properties["start"] ?? 1), 10);
    const tight = !node.children.some((child) => child.type === "element" && hasParagraph(child));
    const ordered = node.tagName === "ol";
    return { type: "list", ordered, start: supportedListStart(start), tight, items };
  }

  function itemOf(node: Element): ListItem {
    const box = findItemCheckbox(node);
    if (box !== undefined) ticks.add(box);
    return { checked: box === undefined ? null : isChecked(box), children: blocksOf(node.children) };
  }

  function divOf(node: Element): ExportBlock[] {
    const classes = classesOf(node);
    const kind = classes.find((name) => name.startsWith("alert-"))?.slice("alert-".length);
    if (!classes.includes("alert") || !isAlertKind(kind)) {
      return blocksOf(node.children);
    }
    const { title } = alertGrades[kind];
    const first = node.children.find((child) => child.type === "element");
    // treat a box with another title than its kind's as plain text: raw HTML can imitate an alert with other words
    const isAlert = first !== undefined && classesOf(first).includes("alert-title") && rawText(first) === title;
    if (!isAlert || containsElement(first, isImage)) return blocksOf(node.children);
    const body = node.children.filter((child) => child !== first);
    return [{ type: "alert", kind, title, children: blocksOf(body) }];
  }

  function detailsOf(node: Element): ExportBlock {
    const isSummary = (child: HtmlNode): boolean => child.type === "element" && child.tagName === "summary";
    const summary = node.children.find(isSummary);
    const rest = node.children.filter((child) => child !== summary);
    if (summary?.type !== "element") return { type: "details", summary: [], children: blocksOf(rest) };
    if (hasBlocks(summary)) {
      return { type: "details", summary: [], children: [...blocksOf(summary.children), ...blocksOf(rest)] };
    }
    return { type: "details", summary: trimmedInlines(inlinesOf(summary.children)), children: blocksOf(rest) };
  }

  function inlinesOf(nodes: readonly HtmlNode[]): ExportInline[] {
    return nodes.flatMap((node) => {
      if (node.type === "text") return inlineTextOf(node.value);
      return node.type === "element" ? inlinesOfElement(node) : [];
    });
  }

  function inlinesOfElement(node: Element): ExportInline[] {
    const mark = marks[node.tagName];
    const note = mark === "sup" ? noteOf(node) : undefined;
    if (note !== undefined) return note;
    if (mark !== undefined) return [{ type: mark, children: inlinesOf(node.children) }];
    switch (node.tagName) {
      case "br":
        return [{ type: "break" }];
      case "code":
        return containsElement(node, isImage)
          ? inlinesOf(node.children)
          : [{ type: "code", text: cleanBlockText(rawText(node)) }];
      case "a":
        return linkOf(node);
      case "img":
        return imageOf(node);
      // without the space, the words around an item's checkbox would join
      case "input":
        return [{ type: "text", text: ticks.has(node) ? " " : boxLetterOf(node) }];
      default:
        return blockTags.test(node.tagName) || apart.test(node.tagName)
          ? [{ type: "break" }, ...inlinesOf(node.children), { type: "break" }]
          : inlinesOf(node.children);
    }
  }

  function linkOf(node: Element): ExportInline[] {
    const children = inlinesOf(node.children);
    const { href } = node.properties;
    const leads = typeof href === "string" && (/^#user-content-./.test(href) || paperLink.test(href));
    return leads ? [{ type: "link", url: href, children }] : children;
  }

  function imageOf({ properties: { src, alt, width } }: Element): ExportInline[] {
    const [, sha256, ext] = assetUrl.exec(String(src ?? "")) ?? [];
    if (sha256 === undefined) return [];
    const asset = ext === undefined ? sha256 : `${sha256}.${ext}`;
    const wide = width === undefined ? {} : { width: Number(width) };
    return [{ type: "image", asset, alt: cleanText(String(alt ?? "")), ...wide }];
  }

  function noteOf(node: Element): ExportInline[] | undefined {
    const note = notes.namedBy(node);
    if (note === undefined) return undefined;
    const known = shown.get(note.id);
    if (known !== undefined) return [{ type: "footnote-again", number: known }];
    // skip a footnote that refers to itself
    if (open.includes(note.id)) return [];
    const isInside = open.length > 0;
    open.push(note.id);
    try {
      if (isInside) return bracketedNote(note);
      const number = shown.size + 1;
      shown.set(note.id, number);
      return [{ type: "footnote", number, children: blocksOf(note.element.children) }];
    } finally {
      open.pop();
    }
  }

  /** Writes a footnote inside another one in brackets, because Word can't nest footnotes. */
  function bracketedNote({ id, element }: Footnote): ExportInline[] {
    inNotes.add(id);
    return [{ type: "text", text: " (" }, ...trimmedInlines(inlinesOf(element.children)), { type: "text", text: ")" }];
  }

  const reader: HtmlBlockReader = { blocks: blocksOf, inlines: inlinesOf };
  const read = blocksOf(tree.children);
  const unread = notes.unread((id) => shown.has(id) || inNotes.has(id));
  return [...read, ...unread.flatMap(({ element }) => blocksOf(element.children))];
}

/** Removes inline marks and links that contain blocks, and keeps their content. */
function withoutMarksAroundBlocks(nodes: readonly HtmlNode[]): HtmlNode[] {
  return nodes.flatMap((node) => {
    const isAround = node.type === "element" && !blockTags.test(node.tagName) && !apart.test(node.tagName);
    return isAround && hasBlocks(node) ? withoutMarksAroundBlocks(node.children) : [node];
  });
}

/** Groups the content of a list: each item by itself, and other content of raw HTML between items together. */
function groupListContent(nodes: readonly ElementContent[]): ElementContent[][] {
  const groups: ElementContent[][] = [];
  let loose: ElementContent[] | undefined;
  for (const node of nodes) {
    if (node.type === "element" && node.tagName === "li") {
      loose = undefined;
      groups.push([node]);
    } else if (loose) loose.push(node);
    else groups.push((loose = [node]));
  }
  return groups;
}

/** Limits the start number of a list to the numbers that PDF and Word files support. */
function supportedListStart(start: number): number {
  return Number.isFinite(start) ? Math.min(Math.max(start, 0), 999_999_999) : 1;
}

function inlineTextOf(value: string): ExportInline[] {
  const text = cleanBlockText(value).replace(/[ \t\n]+/g, " ");
  return text === "" ? [] : [{ type: "text", text }];
}

/** Removes white space and line breaks from both ends. */
function trimmedInlines(nodes: readonly ExportInline[]): ExportInline[] {
  const out = [...nodes];
  for (const at of [0, -1]) {
    for (let node = out.at(at); node !== undefined; node = out.at(at)) {
      const edge = at === 0 ? 0 : out.length - 1;
      if (node.type === "text") {
        const text = at === 0 ? node.text.trimStart() : node.text.trimEnd();
        if (text !== "") {
          out[edge] = { type: "text", text };
          break;
        }
      } else if (node.type !== "break") break;
      out.splice(edge, 1);
    }
  }
  return out;
}

function codeBlockOf(node: Element): ExportBlock {
  const code = node.children.find((child) => child.type === "element");
  const language = classesOf(code ?? node).find((name) => name.startsWith("language-"));
  const text = cleanBlockText(rawText(node)).replace(/\n$/, "");
  return { type: "code", lang: language?.slice("language-".length) ?? null, text };
}

function rawText(node: Element): string {
  return node.children
    .map((child) => {
      if (child.type === "text") return child.value;
      if (child.type !== "element") return "";
      if (child.tagName === "br") return "\n";
      if (child.tagName === "input") return boxLetterOf(child);
      return blockTags.test(child.tagName) || apart.test(child.tagName) ? `\n${rawText(child)}\n` : rawText(child);
    })
    .join("");
}

function classesOf(node: Element): string[] {
  const names = node.properties["className"];
  return Array.isArray(names) ? names.map(String) : [];
}

function isChecked({ properties: { checked } }: Element): boolean {
  return checked === true;
}

function boxLetterOf(box: Element): string {
  return isChecked(box) ? "☑" : "☐";
}

function findItemCheckbox(item: Element): Element | undefined {
  const findInput = (nodes: readonly ElementContent[]): Element | undefined => {
    const first = nodes.find((node) => node.type === "element" || (node.type === "text" && node.value.trim() !== ""));
    if (first?.type !== "element") return undefined;
    if (first.tagName === "input") return first;
    return first.tagName === "p" ? findInput(first.children) : undefined;
  };
  return findInput(item.children);
}

function hasParagraph(item: Element): boolean {
  return item.children.some((child) => child.type === "element" && child.tagName === "p");
}

/** Matches elements that browsers show on separate lines. */
const apart = /^(li|summary|caption|tr|td|th|thead|tbody|tfoot)$/;

const blockTags = /^(h[1-6]|p|ul|ol|table|pre|blockquote|details|div|hr|section|figure|figcaption)$/;

function hasBlocks(node: Element): boolean {
  return containsElement(node, ({ tagName }) => blockTags.test(tagName));
}

function isImage({ tagName }: Element): boolean {
  return tagName === "img";
}

function containsElement(node: Element, is: (inner: Element) => boolean): boolean {
  return node.children.some((child) => child.type === "element" && (is(child) || containsElement(child, is)));
}
