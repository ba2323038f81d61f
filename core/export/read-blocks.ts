import type { Element, ElementContent, Root } from "hast";
import { fromHtml } from "hast-util-from-html";
import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";
import { alertTitles, type AlertKind } from "../markdown/alerts.ts";
import { assetUrl } from "../markdown/links.ts";
import { plainText, type Block, type Inline, type ListItem, type Mark } from "./blocks.ts";
import { cleanText, isRightToLeft } from "./clean-text.ts";
import { readTable } from "./read-table.ts";
import type { Node, Reader } from "./reader.ts";

/** Sanitised HTML of one document at most, in bytes: a render is a few times as long as its text. */
const longest = 8 * limits.document;

/**
 * The sanitised render of a document (`renderHtml`) → the blocks that typesetters take, and nothing else.
 * Throws `too_large` for what no document's render can be.
 */
export function readBlocks(html: string): Block[] {
  if (html.length > longest) throw new AppError("too_large", "The document is too large to be set");
  const tree = fromHtml(html, { fragment: true });
  return createReader(tree).blocks(tree.children);
}

const marks: Readonly<Record<string, Mark>> = {
  strong: "strong",
  em: "em",
  del: "del",
  sub: "sub",
  sup: "sup",
  kbd: "kbd",
};

function createReader(tree: Root): Reader {
  const notes = footnotesOf(tree);
  const shown = new Map<string, number>();

  function blocks(nodes: readonly Node[]): Block[] {
    const found: Block[] = [];
    let loose: Node[] = [];
    const flush = (): void => {
      const children = trimmed(inlines(loose));
      if (children.length > 0) found.push(paragraph(children));
      loose = [];
    };
    for (const node of nodes) {
      const read = node.type === "element" ? block(node) : undefined;
      if (read === undefined) {
        loose.push(node);
        continue;
      }
      flush();
      found.push(...read);
    }
    flush();
    return found;
  }

  /** Undefined: it stands in a line of text. */
  function block(node: Element): Block[] | undefined {
    const heading = /^h([1-6])$/.exec(node.tagName);
    if (heading) return [headingOf(node, Number(heading[1]))];
    switch (node.tagName) {
      case "p": {
        const children = trimmed(inlines(node.children));
        return children.length > 0 ? [paragraph(children)] : [];
      }
      case "ul":
      case "ol":
        return [listOf(node)];
      case "table":
        return readTable(node, reader);
      case "pre":
        return [codeOf(node)];
      case "blockquote":
        return [{ type: "quote", children: blocks(node.children) }];
      case "details":
        return [detailsOf(node)];
      case "div":
        return divOf(node);
      case "hr":
        return [{ type: "rule" }];
      case "section":
        return "dataFootnotes" in node.properties ? [] : blocks(node.children);
      default:
        return holdsBlocks(node) ? blocks(node.children) : undefined;
    }
  }

  function headingOf(node: Element, level: number): Block {
    const children = trimmed(inlines(node.children));
    const id = String(node.properties["id"] ?? "");
    return { type: "heading", level, id, rtl: isRightToLeft(plainText(children)), children };
  }

  function listOf(node: Element): Block {
    const items = node.children.filter((child) => child.type === "element").map(itemOf);
    const start = Number(node.properties["start"] ?? 1);
    const tight = !node.children.some((child) => child.type === "element" && hasParagraph(child));
    const ordered = node.tagName === "ol";
    return { type: "list", ordered, start: Number.isFinite(start) ? start : 1, tight, items };
  }

  function itemOf(node: Element): ListItem {
    const box = checkbox(node);
    return { checked: box === undefined ? null : box, children: blocks(node.children) };
  }

  function divOf(node: Element): Block[] {
    const classes = classesOf(node);
    const kind = classes.find((name) => name.startsWith("alert-"))?.slice("alert-".length);
    if (!classes.includes("alert") || kind === undefined || !Object.hasOwn(alertTitles, kind)) {
      return blocks(node.children);
    }
    const body = node.children.filter((child) => !(child.type === "element" && isAlertTitle(child)));
    return [
      {
        type: "alert",
        kind: kind as AlertKind,
        title: alertTitles[kind as AlertKind],
        children: blocks(body),
      },
    ];
  }

  function detailsOf(node: Element): Block {
    const isSummary = (child: Node): boolean => child.type === "element" && child.tagName === "summary";
    const summary = node.children.find(isSummary);
    const rest = node.children.filter((child) => !isSummary(child));
    const children = summary?.type === "element" ? trimmed(inlines(summary.children)) : [];
    return { type: "details", summary: children, children: blocks(rest) };
  }

  function inlines(nodes: readonly Node[]): Inline[] {
    return nodes.flatMap((node) => {
      if (node.type === "text") return textOf(node.value);
      return node.type === "element" ? inline(node) : [];
    });
  }

  function inline(node: Element): Inline[] {
    const mark = marks[node.tagName];
    const note = mark === "sup" ? noteOf(node) : undefined;
    if (note !== undefined) return [note];
    if (mark !== undefined) return [{ type: mark, children: inlines(node.children) }];
    switch (node.tagName) {
      case "br":
        return [{ type: "break" }];
      case "code":
        return [{ type: "code", text: cleanText(rawText(node)) }];
      case "a":
        return linkOf(node);
      case "img":
        return imageOf(node);
      case "input":
        return [];
      default:
        return inlines(node.children);
    }
  }

  function linkOf(node: Element): Inline[] {
    if ("dataFootnoteBackref" in node.properties) return [];
    const children = inlines(node.children);
    const { href } = node.properties;
    const leads = typeof href === "string" && /^(#user-content-.|https?:|mailto:|tel:)/i.test(href);
    return leads ? [{ type: "link", url: href, children }] : children;
  }

  function imageOf({ properties: { src, alt, width } }: Element): Inline[] {
    const [, sha256, ext] = assetUrl.exec(String(src ?? "")) ?? [];
    if (sha256 === undefined) return [];
    const asset = ext === undefined ? sha256 : `${sha256}.${ext}`;
    const wide = width === undefined ? {} : { width: Number(width) };
    return [{ type: "image", asset, alt: cleanText(String(alt ?? "")), ...wide }];
  }

  function noteOf(node: Element): Inline | undefined {
    const [anchor] = node.children;
    if (anchor?.type !== "element" || !("dataFootnoteRef" in anchor.properties)) return undefined;
    const id = String(anchor.properties["href"] ?? "").slice(1);
    const known = shown.get(id);
    if (known !== undefined) return { type: "footnote-again", number: known };
    const number = shown.size + 1;
    shown.set(id, number);
    return { type: "footnote", number, children: blocks(notes.get(id)?.children ?? []) };
  }

  const reader: Reader = { blocks, inlines };
  return reader;
}

function paragraph(children: Inline[]): Block {
  return { type: "paragraph", rtl: isRightToLeft(plainText(children)), children };
}

function textOf(value: string): Inline[] {
  const text = cleanText(value).replace(/[ \t\n]+/g, " ");
  return text === "" ? [] : [{ type: "text", text }];
}

/** Without white space and line ends at both ends. */
function trimmed(nodes: readonly Inline[]): Inline[] {
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

function footnotesOf(tree: Root): ReadonlyMap<string, Element> {
  const notes = new Map<string, Element>();
  const section = tree.children.find((node) => node.type === "element" && "dataFootnotes" in node.properties);
  const walk = (node: Element): void => {
    const id = node.properties["id"];
    if (node.tagName === "li" && typeof id === "string") notes.set(id, node);
    else for (const child of node.children) if (child.type === "element") walk(child);
  };
  if (section?.type === "element") walk(section);
  return notes;
}

function codeOf(node: Element): Block {
  const code = node.children.find((child) => child.type === "element");
  const language = classesOf(code ?? node).find((name) => name.startsWith("language-"));
  const text = cleanText(rawText(node)).replace(/\n$/, "");
  return { type: "code", lang: language?.slice("language-".length) ?? null, text };
}

function rawText(node: Element): string {
  return node.children
    .map((child) => {
      if (child.type === "text") return child.value;
      if (child.type !== "element") return "";
      return child.tagName === "br" ? "\n" : rawText(child);
    })
    .join("");
}

function classesOf(node: Element): string[] {
  const names = node.properties["className"];
  return Array.isArray(names) ? names.map(String) : [];
}

function isAlertTitle(node: Element): boolean {
  return classesOf(node).includes("alert-title");
}

function checkbox(item: Element): boolean | undefined {
  const find = (nodes: readonly ElementContent[]): Element | undefined => {
    const first = nodes.find((node) => node.type === "element");
    if (first?.type !== "element") return undefined;
    if (first.tagName === "input") return first;
    return first.tagName === "p" ? find(first.children) : undefined;
  };
  const box = find(item.children);
  return box && box.properties["checked"] === true;
}

function hasParagraph(item: Element): boolean {
  return item.children.some((child) => child.type === "element" && child.tagName === "p");
}

const blockTags = /^(h[1-6]|p|ul|ol|table|pre|blockquote|details|div|hr|section)$/;

function holdsBlocks(node: Element): boolean {
  return node.children.some(
    (child) => child.type === "element" && (blockTags.test(child.tagName) || holdsBlocks(child)),
  );
}
