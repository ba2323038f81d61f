import type { Element, ElementContent } from "hast";
import { element, isBlankNode, isElement, textProperty, nodeText } from "./elements.ts";
import { lossTexts, type Losses } from "./losses.ts";
import { isBlockElement } from "./pieces.ts";
import { cssValueOf } from "./styles.ts";

interface ListItemNumber {
  item: Element;
  number: number;
}

/** The largest number that an item can have in Markdown. */
const maxNumber = 999_999_999;

/**
 * Splits a list into lists that Markdown can write: with items only, whose numbers count up by one. A new list begins
 * where the numbers jump. Lists and text directly in the list move into the item above them, or before the list.
 */
export function splitListForMarkdown(list: Element, losses: Losses): { before: ElementContent[]; lists: Element[] } {
  const before: ElementContent[] = [];
  const items: Element[] = [];
  let loose: Element | undefined;
  for (const child of unwrappedItemsOf(list)) {
    const last = items.at(-1);
    if (isElement(child, "li")) items.push({ ...child, children: [...child.children] });
    else if (last === undefined) before.push(child);
    else if (loose === undefined && isBlankText(child)) continue;
    else if (loose === undefined) last.children.push((loose = element("div", {}, [child])));
    else loose.children.push(child);
    if (isElement(child, "li")) loose = undefined;
  }
  if (items.length === 0) return { before, lists: [] };
  const style = listStyleOf(list, items[0]);
  if (!isOrdered(list, style)) {
    const plain = items.map((item) => ({ ...item, properties: withoutNumber(item) }));
    return { before, lists: [element("ul", classProperties(list), plain)] };
  }
  if (/^[ai]$/i.test(textProperty(list, "type")) || /alpha|latin|roman|greek/.test(style))
    losses.add(lossTexts.letters(), trimmedItemText(items[0]));
  return { before, lists: splitByNumbers(withShownNumbers(list, items), list, losses) };
}

function isBlankText(node: ElementContent): boolean {
  return node.type !== "element" && isBlankNode(node);
}

/** The items of a list. Some editors put other elements around items. */
function unwrappedItemsOf(list: Element): ElementContent[] {
  return list.children.flatMap((child) => {
    const isWrapper =
      child.type === "element" &&
      !["li", "ul", "ol", "menu", "dir", "table"].includes(child.tagName) &&
      child.children.some((inner) => isElement(inner, "li"));
    return isWrapper ? unwrappedItemsOf(child) : [child];
  });
}

function classProperties({ properties: { className } }: Element): Element["properties"] {
  return className === undefined ? {} : { className };
}

function withoutNumber({ properties }: Element): Element["properties"] {
  const { value: _, ...rest } = properties;
  return rest;
}

function listStyleOf(list: Element, item: Element | undefined): string {
  const ownListStyle = (node: Element): string => {
    const style = textProperty(node, "style");
    return cssValueOf(style, "list-style-type") || cssValueOf(style, "list-style");
  };
  return ownListStyle(list) || (item === undefined ? "" : ownListStyle(item));
}

/** Tells whether a list is numbered, because a style can give bullets numbers or remove them. */
function isOrdered(list: Element, style: string): boolean {
  if (/\b(?:decimal|alpha|latin|roman|greek)\b/.test(style.replaceAll("-", " "))) return true;
  return list.tagName === "ol" && !/\b(?:none|disc|circle|square)\b/.test(style);
}

/** The items with the numbers that browsers show. */
function withShownNumbers(list: Element, items: readonly Element[]): ListItemNumber[] {
  const { start, reversed } = list.properties;
  const isDown = reversed !== undefined && reversed !== null && reversed !== false;
  const step = isDown ? -1 : 1;
  let next = parseWholeNumber(start) ?? (isDown ? items.length : 1);
  return items.map((item) => {
    const number = parseWholeNumber(item.properties["value"]) ?? next;
    next = number + step;
    return { item: { ...item, properties: withoutNumber(item) }, number };
  });
}

function parseWholeNumber(value: unknown): number | undefined {
  const text = String(value ?? "").trim();
  return /^[+-]?\d+/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/** Makes one list for each run of consecutive numbers. */
function splitByNumbers(items: readonly ListItemNumber[], list: Element, losses: Losses): Element[] {
  const out: Element[] = [];
  let last: number | undefined;
  for (const { item, number } of items) {
    const current = out.at(-1);
    if (number < 0 || number > maxNumber) {
      losses.add(lossTexts.uncounted(), String(number));
      item.children.unshift({ type: "text", value: `${number}. ` });
      if (current?.tagName === "ul") current.children.push(item);
      else out.push(element("ul", {}, [item]));
      last = undefined;
      continue;
    }
    if (last !== undefined && number === last + 1) current?.children.push(item);
    else {
      if (last !== undefined) losses.add(lossTexts.jump(), `${last} → ${number}`);
      out.push(element("ol", { ...classProperties(list), ...(number === 1 ? {} : { start: number }) }, [item]));
    }
    last = number;
  }
  return out;
}

function trimmedItemText(item: Element | undefined): string | undefined {
  const words = item === undefined ? "" : nodeText(item).trim();
  return words === "" ? undefined : words;
}

/** Joins a numbered list with the list above it if it continues that list's numbers. */
export function joinContinuedLists(nodes: readonly ElementContent[]): ElementContent[] {
  const out: ElementContent[] = [];
  for (const node of nodes) {
    const above = out.findLast((one) => !isBlankNode(one) || one.type === "element");
    if (above === undefined || !isElement(above, "ol") || !isElement(node, "ol")) out.push(node);
    else if (Number(node.properties["start"] ?? 1) !== Number(above.properties["start"] ?? 1) + above.children.length)
      out.push(node);
    else above.children.push(...node.children);
  }
  return out;
}

/** The checkbox that makes an item a task: its only one, before its words. Undefined for an item that is no task. */
export function taskCheckboxOf(item: Element): Element | undefined {
  const boxes: Element[] = [];
  let place: "begin" | "box" | "words" | "end" = "begin";
  let isTask = false;
  const findCheckbox = (parent: Element): void => {
    for (const child of parent.children) {
      const isWord =
        child.type === "text" ? child.value.trim() !== "" : isElement(child, "img") || isElement(child, "q");
      if (isWord && place === "box") isTask = true;
      if (isWord && place !== "end") place = "words";
      if (child.type !== "element") continue;
      if (child.tagName === "input") {
        boxes.push(child);
        place = place === "begin" ? "box" : "end";
      } else if (isBlockElement(child) && child.tagName !== "p" && child.tagName !== "div") {
        if (!isBlankNode(child)) place = "end";
      } else if (child.tagName === "br") place = "end";
      else findCheckbox(child);
    }
  };
  findCheckbox(item);
  return boxes.length === 1 && isTask ? boxes[0] : undefined;
}

export function isChecked({ properties }: Element): boolean {
  return properties["checked"] !== undefined && properties["checked"] !== null && properties["checked"] !== false;
}
