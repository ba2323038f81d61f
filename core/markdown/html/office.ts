import type { Element, ElementContent, Root } from "hast";
import {
  classesOf,
  eachElement,
  element,
  descendantsNamed,
  findElement,
  hasClass,
  isBlankNode,
  textProperty,
  nodeText,
} from "./elements.ts";
import { lossTexts, type Losses } from "./losses.ts";
import { cssValueOf } from "./styles.ts";
import { checkboxElement } from "./tasks.ts";

/**
 * Corrects HTML of Word: drops comments and deleted words, and turns styled paragraphs into lists and titles.
 */
export function convertOfficeHtml(root: Root, losses: Losses): void {
  if (findElement(root, hasOfficeStyle) === undefined) return;
  const sheet = descendantsNamed(root, "style").map(nodeText).join("\n");
  eachElement(root, (node, parent, index) => {
    if (isOfficeComment(node)) {
      if (/^MsoComment(?:Text|Reference)$/.test(classesOf(node).join(" ")))
        losses.add(lossTexts.comment(), nodeText(node));
      parent.children.splice(index, 1);
    } else if (hasClass(node, "msoDel") || (node.tagName === "del" && textProperty(node, "cite") !== "")) {
      losses.add(lossTexts.trackedChanges(), nodeText(node));
      parent.children.splice(index, 1);
    }
  });
  convertWordLists(root, sheet, losses);
  eachElement(root, (node, parent, index) => {
    if (node.tagName !== "p") return;
    if (hasClass(node, "MsoTitle")) node.tagName = "h1";
    if (isBlankNode(node)) parent.children.splice(index, 1);
  });
}

function hasOfficeStyle(node: Element): boolean {
  return /mso-/i.test(textProperty(node, "style")) || /\bMso[A-Z]/.test(String(node.properties["className"] ?? ""));
}

function isOfficeComment(node: Element): boolean {
  return (
    hasClass(node, "MsoCommentReference") ||
    hasClass(node, "MsoCommentText") ||
    hasClass(node, "msocomoff") ||
    cssValueOf(textProperty(node, "style"), "mso-element") === "comment"
  );
}

interface OpenOfficeList {
  level: number;
  id: string;
  list: Element;
  /** The number of the list's last item. */
  last: number;
}

/** Turns Word's paragraphs into lists: their style contains the list level, and their text contains the number. */
function convertWordLists(parent: Root | Element, sheet: string, losses: Losses): void {
  let open: OpenOfficeList[] = [];
  const out: ElementContent[] = [];
  for (const node of parent.children as ElementContent[]) {
    if (node.type !== "element" || !/^(?:p|h[1-6])$/.test(node.tagName)) {
      if (node.type === "element") convertWordLists(node, sheet, losses);
      if (node.type === "element" || !isBlankNode(node)) open = [];
      out.push(node);
      continue;
    }
    const [, id = "", depth = ""] =
      /^(l\d+)\s+level(\d)/.exec(cssValueOf(textProperty(node, "style"), "mso-list")) ?? [];
    const item = open.at(-1)?.list.children.at(-1);
    if (id === "" && item?.type === "element" && /^MsoListParagraph/i.test(String(node.properties["className"]))) {
      item.children.push(node);
      continue;
    }
    const marker = removeItemMarker(node);
    if (id === "" || node.tagName !== "p") {
      if (marker !== "") losses.add(lossTexts.headingNumber(), marker);
      open = [];
      out.push(node);
      continue;
    }
    const level = Number(depth);
    while (open.some((one) => one.level > level)) open.pop();
    const above = open.at(-1);
    const number = markerNumberOf(marker, above?.level === level ? above.last : 0, numberFormatOf(sheet, id, level));
    const isWord = number === undefined && /[\p{L}\p{N}]{2}|\p{N}/u.test(marker);
    const name = number === undefined ? "ul" : "ol";
    if (above?.level === level && (above.id !== id || above.list.tagName !== name)) open.pop();
    if (open.at(-1)?.level !== level) {
      const list = element(name, /^[a-z]/i.test(marker.replace("(", "")) && name === "ol" ? { type: "a" } : {}, []);
      const place = open.at(-1)?.list.children.at(-1);
      if (place?.type === "element") place.children.push(list);
      else out.push(list);
      open.push({ level, id, list, last: 0 });
    }
    const here = open.at(-1);
    if (here === undefined) continue;
    if (number !== undefined) {
      here.last = number;
      if (/\d\.\d/.test(marker)) losses.add(lossTexts.lastNumber(), marker);
    }
    // a number such as `9a.` stays text, because Markdown can't count it
    const mark: ElementContent[] = isWord ? [{ type: "text", value: `${marker} ` }] : [];
    if (/^[☐☑☒]$/u.test(marker)) mark.push(checkboxElement(marker !== "☐"), { type: "text", value: " " });
    here.list.children.push(
      element("li", number === undefined ? {} : { value: String(number) }, [...mark, ...node.children]),
    );
  }
  parent.children = out;
}

/** Removes the text of an item's number from a paragraph, and returns it. */
function removeItemMarker(paragraph: Element): string {
  let marker = "";
  eachElement(paragraph, (node, parent, index) => {
    if (cssValueOf(textProperty(node, "style"), "mso-list") !== "ignore") return;
    marker = nodeText(node).replace(/\s+/g, " ").trim();
    parent.children.splice(index, 1);
  });
  return marker;
}

/** The number format of a level: `@list l0:level2 {mso-level-number-format:alpha-lower}` → `alpha-lower`. */
function numberFormatOf(sheet: string, id: string, level: number): string {
  const rule = new RegExp(`@list\\s+${id}:level${level}\\s*\\{([^}]*)\\}`, "i").exec(sheet)?.[1] ?? "";
  return cssValueOf(rule, "mso-level-number-format");
}

/** The number that a marker shows: `3.`, `(b)`, `iv)`, `1.2.3`, in the digits of any script; undefined for a bullet. */
function markerNumberOf(marker: string, before: number, format: string): number | undefined {
  const text = /^\(?([^()]*?)[.)]?$/.exec(marker)?.[1]?.toLowerCase() ?? "";
  const digits = /^(?:\p{Nd}+\.)*(\p{Nd}{1,9})$/u.exec(text)?.[1];
  if (digits !== undefined) return Number([...digits].map(digitValueOf).join(""));
  if (!/^\(?[a-z]{1,6}[.)]$/i.test(marker) && !/^(?:alpha|roman)/.test(format)) return undefined;
  const [letter, roman] = [letterNumber(text), romanNumber(text)];
  if (format.startsWith("roman")) return roman ?? letter;
  if (format.startsWith("alpha")) return letter;
  return letter !== undefined && letter === before + 1 ? letter : (roman ?? letter);
}

/** The value of a digit in any script: Unicode keeps the ten digits of a script in one row. */
function digitValueOf(character: string): number {
  let code = character.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
    code -= 1;
    value += 1;
  }
  return value;
}

/** The number of letters as Word counts: `a` → 1, `z` → 26; `aa` → 27. */
function letterNumber(text: string): number | undefined {
  if (!/^([a-z])\1*$/.test(text)) return undefined;
  return text.charCodeAt(0) - 96 + 26 * (text.length - 1);
}

const romanDigits: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function romanNumber(text: string): number | undefined {
  if (!/^c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/.test(text) || text === "") return undefined;
  const values = [...text].map((character) => romanDigits[character] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}
