/**
 * Lists everything that a reader sees of HTML, in order (the "reading"), to check that a conversion loses nothing. It
 * reads HTML and never a Markdown syntax tree, so that a fault of the conversion can't hide itself.
 */
import type { Element, Nodes, Root } from "hast";
import { classRules, elementLookOf, type ClassRules } from "#core/markdown/html/styles.ts";
import { assetUrl, hrefIfSafe } from "#core/markdown/links.ts";
import { readAlt } from "#core/markdown/image-alt.ts";
import { classesOf, isElement } from "./elements.ts";
import {
  elementsNamed,
  hasOnlyLists,
  isLinkAddress,
  isBulletOfWord,
  isHidden,
  isShownAsBlock,
  tableRowGroupsOf,
  cellsWithColumns,
} from "./seen-elements.ts";

/**
 * One thing that a reader sees. The first character is its kind, and the rest its value: `w` a word; `~` a struck word;
 * `#` the number of a list item, with its level; `*` a bullet, with its level; `x` a checkbox (`x1` is ticked); `r` a
 * table row; `c` the column of a cell with content; `p` a code block; `a` a link with its address; `i` an image with
 * its words; `!` an alert with its kind.
 */
export type ReadingToken = string;

const blocks = new Set(
  (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer " +
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary " +
    "table tbody td tfoot th thead tr ul"
  ).split(" "),
);
/** Form fields. Their words are separate from the words around the field, because a field has a frame. */
const framed = new Set(["button", "input", "select", "textarea"]);
/** Elements whose content a browser never shows. */
const unseen = new Set(
  "annotation annotation-xml area audio base canvas col colgroup datalist embed head iframe link map meta noembed noframes object param script source style template title track video ac:parameter ac:placeholder ac:task-id ac:task-status".split(
    " ",
  ),
);

/** Characters that show a checkbox. */
const boxes: Readonly<Record<string, string>> = { "☐": "x0", "☑": "x1", "☒": "x1", "🗹": "x1", "🗷": "x1" };
const anyBox = /[☐☑☒🗹🗷]/u;
/** Characters without a glyph, which can hide inside words. */
const invisible = /[\u00AD\u200B\u200E\u200F\u2060\u2066-\u2069\u202A-\u202E\uE000-\uF8FF\uFEFF]/g;

export interface ReadingTokenOptions {
  /** True if addresses of links count, or only their words, because an import changes addresses. True by default. */
  addresses?: boolean;
  /** Tells which images count as links, as in views. By default, none does. */
  linkedImages?: (address: string) => boolean;
  /** True if the numbers of footnotes in the text count as words. False by default, because an import changes them. */
  noteNumbers?: boolean;
}

/** Lists what a reader sees of HTML. Hidden elements, scripts and hidden parts of forms are left out. */
export function readingOfHtml(tree: Root | Element, options: ReadingTokenOptions = {}): ReadingToken[] {
  const rules = tree.type === "root" ? classRules(tree) : new Map<string, string>();
  const reader = new HtmlReader(options, rules);
  reader.read(tree);
  return reader.finishedTokens();
}

interface ReadingPlace {
  /** The number of lists around the place. */
  level: number;
  isStruck: boolean;
  inLink: boolean;
  inCell: boolean;
}

class HtmlReader {
  readonly seen: ReadingToken[] = [];
  private readonly options: ReadingTokenOptions;
  private readonly rules: ClassRules;
  private word = "";
  private wordIsStruck = false;

  constructor(options: ReadingTokenOptions, rules: ClassRules) {
    this.options = options;
    this.rules = rules;
  }

  finishedTokens(): ReadingToken[] {
    this.endWord();
    return this.seen;
  }

  read(tree: Root | Element): void {
    this.readChildren(tree, { level: 0, isStruck: false, inLink: false, inCell: false });
  }

  private addToken(seen: ReadingToken): void {
    this.endWord();
    this.seen.push(seen);
  }

  private endWord(): void {
    if (this.word === "") return;
    const word = this.word.replace(invisible, "").normalize("NFC");
    this.word = "";
    if (word !== "") this.seen.push((this.wordIsStruck ? "~" : "w") + word);
  }

  private readText(value: string, isStruck: boolean): void {
    let start = 0;
    for (const match of value.matchAll(/\s+|[☐☑☒🗹🗷]/gu)) {
      this.addWordPart(value.slice(start, match.index), isStruck);
      this.endWord();
      const box = boxes[match[0]];
      if (box !== undefined) this.seen.push(box);
      start = match.index + match[0].length;
    }
    this.addWordPart(value.slice(start), isStruck);
  }

  private addWordPart(part: string, isStruck: boolean): void {
    if (part === "") return;
    if (this.word !== "" && this.wordIsStruck !== isStruck) this.endWord();
    this.wordIsStruck = isStruck;
    this.word += part;
  }

  private readChildren(parent: Root | Element, place: ReadingPlace): void {
    for (const child of parent.children) this.readNode(child as Nodes, place);
  }

  private readNode(node: Nodes, place: ReadingPlace): void {
    if (node.type === "text") this.readText(node.value, place.isStruck);
    else if (node.type === "element") this.readElement(node, place);
  }

  private readElement(node: Element, outside: ReadingPlace): void {
    const { tagName, properties } = node;
    if (unseen.has(tagName) || isHidden(node) || isBulletOfWord(node)) return;
    const isBlock = blocks.has(tagName) || framed.has(tagName) || isShownAsBlock(node);
    const { struck, shifted } = elementLookOf(node, this.rules);
    const place = struck ? { ...outside, isStruck: true } : outside;
    if (shifted !== undefined) this.addWordPart(shifted === "sup" ? "^" : "_", place.isStruck);
    if (isBlock) this.endWord();
    switch (tagName) {
      case "br":
        return this.endWord();
      case "wbr":
        return;
      case "img":
        return this.readImage(node, place);
      case "input":
        return this.readInput(node, place);
      case "select":
        return this.readSelect(node, place);
      case "q":
        this.addWordPart('"', place.isStruck);
        this.readChildren(node, place);
        return this.addWordPart('"', place.isStruck);
      case "dl":
        return this.readDefinitions(node, place);
      case "pre":
        return this.readCode(node);
      case "table":
        return this.readTable(node, place);
      case "ol":
      case "ul":
      case "menu":
      case "dir":
        return this.readList(node, place);
      case "a":
        if (properties["dataFootnoteBackref"] !== undefined) return;
        if (properties["dataFootnoteRef"] !== undefined)
          return this.options.noteNumbers === true ? this.readChildren(node, place) : undefined;
        this.readLink(String(properties["href"] ?? ""), node);
        return this.readChildren(node, { ...place, inLink: true });
      case "sup":
        if (isFootnoteReference(node) && this.options.noteNumbers !== true) return;
        this.addWordPart("^", place.isStruck);
        break;
      case "sub":
        this.addWordPart("_", place.isStruck);
        break;
      case "del":
      case "s":
      case "strike":
        return this.readChildren(node, { ...place, isStruck: true });
      case "div":
        this.readAlert(node);
        break;
      case "p":
        if (classesOf(node).includes("alert-title")) return;
        break;
      case "h2":
        if (properties["id"] === "footnote-label") return;
        break;
      case "li":
        // browsers show a bullet for an item outside of any list
        this.addToken(`*${place.level + 1}`);
        break;
      default:
    }
    this.readChildren(node, place);
    if (isBlock) this.endWord();
  }

  private readAlert(node: Element): void {
    const kind = classesOf(node)
      .find((name) => name.startsWith("alert-"))
      ?.slice("alert-".length);
    if (classesOf(node).includes("alert") && kind !== undefined) this.addToken(`!${kind}`);
  }

  private readImage(node: Element, place: ReadingPlace): void {
    const { alt, src, title } = node.properties;
    // views show the title below the image
    const caption = place.inLink ? "" : String(title ?? "");
    // tracking pixels and spacers have no address, or a size of one pixel
    if (src === undefined || src === "") return this.readText(String(alt ?? ""), false);
    if (!assetUrl.test(String(src)) && this.options.linkedImages?.(String(src)) === true) {
      const words = readAlt(String(alt ?? "")).alt || String(src);
      if (!place.inLink && words !== src) this.readLink(String(src));
      this.readText(words, place.isStruck);
      if (caption === "") return;
      this.endWord();
      this.readText(caption, false);
      return this.endWord();
    }
    this.addToken(
      `i${String(alt ?? "")
        .replace(/\s+/g, " ")
        .trim()
        .normalize("NFC")}`,
    );
    this.readText(caption, false);
    if (caption !== "") this.endWord();
  }

  /** Adds a link, unless views don't follow its address or its text is its address. */
  private readLink(href: string, node?: Element): void {
    if (href === "" || hrefIfSafe(href) === undefined) return;
    if (this.options.addresses === false && node !== undefined && isLinkAddress(textWithBreaks(node))) return;
    if (node !== undefined && [href, href.replace(/^(?:https?:\/\/|mailto:)/, "")].includes(textWithBreaks(node)))
      return;
    // no word ends here, because a link can begin inside a word
    this.seen.push(this.options.addresses === false ? "a" : `a${decodedAddress(href.replace("#user-content-", "#"))}`);
  }

  /** Reads terms and their explanations as a list with one item for each group, which is their form in Markdown. */
  private readDefinitions(node: Element, place: ReadingPlace): void {
    const level = place.level + 1;
    const parts = node.children.flatMap((child) => (isElement(child, "div") ? (child as Element).children : [child]));
    const rows = parts.filter((part) => part.type === "element") as Element[];
    const rowGroupLength = (from: number, step: 1 | -1): number => {
      let at = from;
      while (rows[at] !== undefined && rows[at]?.tagName === rows[from]?.tagName) at += step;
      return Math.abs(at - from);
    };
    rows.forEach((row, at) => {
      this.endWord();
      const above = rows[at - 1]?.tagName;
      const isFirst = above !== row.tagName;
      if (!place.inCell && isFirst && (row.tagName === "dt" || above === undefined)) this.addToken(`*${level}`);
      if (!place.inCell && rowGroupLength(at, 1) + rowGroupLength(at, -1) > 2) this.addToken(`*${level + 1}`);
      this.readNode(row, { ...place, level });
    });
  }

  private readInput(node: Element, place: ReadingPlace): void {
    const { type = "text", checked, value } = node.properties;
    switch (String(type).toLowerCase()) {
      case "checkbox":
      case "radio":
        return this.addToken(checked === undefined || checked === false || checked === null ? "x0" : "x1");
      case "hidden":
      case "file":
      case "password":
      case "image":
        return;
      default:
        this.readText(String(value ?? ""), place.isStruck);
        return this.endWord();
    }
  }

  private readSelect(node: Element, place: ReadingPlace): void {
    const options = elementsNamed(node, "option");
    const chosen = options.filter(
      ({ properties }) => properties["selected"] !== undefined && properties["selected"] !== false,
    );
    const isList = node.properties["multiple"] !== undefined;
    const shown = chosen.length > 0 || isList ? chosen : options.slice(0, 1);
    for (const option of shown) {
      this.readChildren(option, place);
      this.endWord();
    }
  }

  private readCode(node: Element): void {
    const value = textWithBreaks(node)
      .replace(/\r\n?/g, "\n")
      .replace(/^\n|\n+$/g, "")
      .normalize("NFC");
    if (value.trim() !== "") this.addToken(`p${value}`);
  }

  private readList(node: Element, place: ReadingPlace): void {
    const level = place.level + 1;
    const items = node.children.filter((child): child is Element => child.type === "element" && child.tagName === "li");
    const isOrdered = node.tagName === "ol";
    const isReversed = isOrdered && node.properties["reversed"] !== undefined && node.properties["reversed"] !== false;
    const start = Number(node.properties["start"] ?? (isReversed ? items.length : 1));
    let number = Number.isFinite(start) ? start : 1;
    for (const child of node.children) {
      if (child.type !== "element" || child.tagName !== "li") {
        this.readNode(child as Nodes, { ...place, level });
        continue;
      }
      if (isHidden(child)) continue;
      const value = Number(child.properties["value"] ?? Number.NaN);
      if (isOrdered && Number.isFinite(value)) number = value;
      const isBox = startsWithBox(child);
      if (hasOnlyLists(child)) {
        // an item that only contains a list: its mark is shown at the first inner item
      } else if (isOrdered) this.addToken(`#${level}:${number}`);
      else if (!isBox) this.addToken(`*${level}`);
      this.endWord();
      this.readChildren(child, { ...place, level });
      this.endWord();
      number += isReversed ? -1 : 1;
    }
  }

  private readTable(node: Element, place: ReadingPlace): void {
    for (const caption of node.children) if (isElement(caption, "caption")) this.readElement(caption as Element, place);
    const inside = { ...place, level: 0, inCell: true };
    const placed = tableRowGroupsOf(node).flatMap(cellsWithColumns);
    const begins = [...new Set(placed.flat().map(({ column }) => column))].sort((one, other) => one - other);
    for (const cells of placed) {
      let isFirst = true;
      for (const { cell, column } of cells) {
        const at = this.seen.length;
        this.endWord();
        this.readChildren(cell, inside);
        this.endWord();
        if (this.seen.length === at) continue;
        // a column in which no cell begins has no width
        this.seen.splice(at, 0, ...(isFirst ? ["r"] : []), `c${begins.indexOf(column)}`);
        isFirst = false;
      }
    }
  }
}

/** Returns the address without the percent escapes that browsers add. */
function decodedAddress(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

function startsWithBox(item: Element): boolean {
  for (const child of item.children) {
    if (child.type === "text") {
      if (child.value.trim() === "") continue;
      return anyBox.test(child.value.trimStart().slice(0, 2));
    }
    if (child.type !== "element") continue;
    if (child.tagName === "input") return /^(?:checkbox|radio)$/i.test(String(child.properties["type"]));
    return ["p", "label", "span"].includes(child.tagName) && startsWithBox(child);
  }
  return false;
}

function isFootnoteReference(sup: Element): boolean {
  return sup.children.some((child) => child.type === "element" && child.properties["dataFootnoteRef"] !== undefined);
}

function textWithBreaks(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (node.type === "element" && node.tagName === "br") return "\n";
  if (node.type === "element" && (unseen.has(node.tagName) || isHidden(node))) return "";
  if (!("children" in node)) return "";
  let text = "";
  for (const child of node.children as Nodes[]) {
    const isLine = child.type === "element" && (blocks.has(child.tagName) || isShownAsBlock(child));
    const part = textWithBreaks(child);
    text = isLine ? asLine(text) + asLine(part) : text + part;
  }
  return text;
}

const asLine = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
