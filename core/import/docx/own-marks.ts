/**
 * In Word files that this program exported, turns the bookmarks around lists, boxes and quotes into text that passes
 * the converter.
 */
import { bookmarkGroupOf } from "#core/export/docx/groups.ts";
import { createItemCounter, listOfStyle, readNumbering, readStyles } from "./numbering.ts";
import {
  childElement,
  isXmlElement,
  createXmlElement,
  parseXml,
  attributeValueOf,
  descendantElements,
  wordTextElement,
  writeXml,
  type XmlElement,
  type XmlNode,
} from "./xml-tree.ts";

/**
 * `\uE0F3<group>\uE0F4` opens a group and `\uE0F3\uE0F4` closes it, each as a paragraph.
 * `\uE0F5<list>:<level>:<number>\uE0F6` begins an item, with `*` for a bullet. `\uE0F7` is a horizontal rule. U+200E is
 * around numbers with units (`runs.ts` of the export).
 */
export const groupMark = /^\uE0F3(\w*)\uE0F4/;
export const itemMark = /\uE0F5(\d+):(\d+):(\d+|\*)\uE0F6/;
export const ruleMark = "\uE0F7";
export const anyOwnMark = /\uE0F3\w*\uE0F4|\uE0F5[\d:*]*\uE0F6|\uE0F7|\u200E/g;

/** Returns a part with marks for groups, list items and rules in its text. */
export function withOwnBlockMarks(xml: string, parts: { numbering: string; styles: string }): string {
  if (xml === "") return xml;
  const root = parseXml(xml);
  const numbering = readNumbering(parts.numbering);
  const styles = readStyles(parts.styles);
  const count = createItemCounter(numbering);
  for (const paragraph of descendantElements(root, ["w:p"])) {
    const properties = childElement(paragraph, "w:pPr");
    if (properties === undefined) continue;
    const style = attributeValueOf(childElement(properties, "w:pStyle")) ?? "";
    if (style === "Rule") addMark(paragraph, ruleMark);
    const own = childElement(properties, "w:numPr");
    const byStyle = listOfStyle(style, styles, numbering);
    const numId = attributeValueOf(own && childElement(own, "w:numId")) ?? byStyle?.numId;
    if (numId === undefined || numId === "0") continue;
    const level = Number(attributeValueOf(own && childElement(own, "w:ilvl")) ?? byStyle?.level ?? 0);
    const counted = count({ numId, level });
    if (counted === undefined) continue;
    const isNumbered = counted.format !== "bullet" && counted.format !== "none";
    properties.children = properties.children.filter((node) => node !== own);
    addMark(paragraph, `\uE0F5${numId.replace(/\D/g, "")}:${level}:${isNumbered ? counted.number : "*"}\uE0F6`);
  }
  for (const container of descendantElements(root, ["w:body", "w:tc", "w:footnote", "w:endnote"]))
    markGroupsIn(container);
  removeBookmarks(root);
  return writeXml(root);
}

/** Removes the bookmarks of groups, which would become anchors that no link uses. */
function removeBookmarks(parent: XmlElement): void {
  parent.children = parent.children.filter(
    (node) =>
      !isXmlElement(node, "w:bookmarkStart") || bookmarkGroupOf(attributeValueOf(node, "w:name") ?? "") === undefined,
  );
  for (const node of parent.children) if (isXmlElement(node)) removeBookmarks(node);
}

function addMark(paragraph: XmlElement, mark: string): void {
  const at = paragraph.children.findIndex((node) => isXmlElement(node, "w:pPr"));
  paragraph.children.splice(at + 1, 0, createXmlElement("w:r", "", [wordTextElement(mark)]));
}

interface BookmarkEdge {
  id: string;
  group: string;
  isStart: boolean;
}

/**
 * Turns bookmarks of groups into marked paragraphs before and after their blocks. Pairs that overlap others or are only
 * partly in a cell are ignored.
 */
function markGroupsIn(container: XmlElement): void {
  const places = container.children.map((node) => bookmarkEventsAround(node));
  const events = places.flatMap(({ before, after }) => [...before, ...after]);
  const whole = completePairs(events);
  if (whole.size === 0) return;
  const marksOf = (list: readonly BookmarkEdge[]): XmlNode[] =>
    list
      .filter(({ id }) => whole.has(id))
      .map(({ id, isStart }) => groupMarkParagraph(isStart ? (whole.get(id) ?? "") : ""));
  container.children = container.children.flatMap((node, index) => [
    ...marksOf(places[index]?.before ?? []),
    node,
    ...marksOf(places[index]?.after ?? []),
  ]);
}

function groupMarkParagraph(group: string): XmlElement {
  return createXmlElement("w:p", "", [createXmlElement("w:r", "", [wordTextElement(`\uE0F3${group}\uE0F4`)])]);
}

/** Returns the bookmarks that begin or end before and after a block. */
function bookmarkEventsAround(node: XmlNode): { before: BookmarkEdge[]; after: BookmarkEdge[] } {
  const [before, after]: [BookmarkEdge[], BookmarkEdge[]] = [[], []];
  if (!isXmlElement(node)) return { before, after };
  if (node.name === "w:bookmarkStart" || node.name === "w:bookmarkEnd") before.push(bookmarkEventOf(node));
  if (node.name !== "w:p") return { before, after };
  const parts = descendantElements(node, ["w:bookmarkStart", "w:bookmarkEnd", "w:r"]).filter(
    (part) =>
      part.name !== "w:r" ||
      !descendantElements(part, ["w:t"]).some(({ children }) => String(children[0]).startsWith("\uE0F5")),
  );
  parts.forEach((part, at) => {
    if (part.name === "w:r") return;
    const isRun = (one: XmlElement): boolean => one.name === "w:r";
    // count a bookmark's end at the beginning of a paragraph for the previous block, because Word moves it there
    const isBefore =
      part.name === "w:bookmarkStart" || (!parts.slice(0, at).some(isRun) && parts.slice(at).some(isRun));
    (isBefore ? before : after).push(bookmarkEventOf(part));
  });
  return { before, after };
}

function bookmarkEventOf(mark: XmlElement): BookmarkEdge {
  const isStart = mark.name === "w:bookmarkStart";
  return {
    id: attributeValueOf(mark, "w:id") ?? "",
    group: (isStart && bookmarkGroupOf(attributeValueOf(mark, "w:name") ?? "")) || "",
    isStart,
  };
}

function completePairs(events: readonly BookmarkEdge[]): Map<string, string> {
  const whole = new Map<string, string>();
  let open: BookmarkEdge[] = [];
  for (const event of events) {
    if (event.isStart && event.group !== "") open.push(event);
    else if (!event.isStart) {
      const at = open.findIndex(({ id }) => id === event.id);
      if (at === -1) continue;
      whole.set(event.id, open[at]?.group ?? "");
      open = open.slice(0, at);
    }
  }
  return whole;
}
