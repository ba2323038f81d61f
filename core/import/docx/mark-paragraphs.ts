import { addedListIdFor, indentOfItem, indentOfStyle, ListNesting } from "./nesting.ts";
import {
  createItemCounter,
  leftIndentOf,
  listOfStyle,
  readNumbering,
  readStyles,
  type ListPlace,
} from "./numbering.ts";
import { attributeOfTag, xmlTags, type XmlTag } from "./xml-tags.ts";
import { escapeBetweenTags } from "../../text/escape-html.ts";

/**
 * The marks with which facts about paragraphs pass the converter, which would drop them:
 * `\uE0F0<counter>:<level>:<number>\uE0F1` at the start of a numbered step, `\uE0F2` at the start of an indented
 * paragraph. No document uses these characters.
 */
export const stepMark = /\uE0F0([^\uE0F1]*):(\d+):(\d+)\uE0F1/;
export const indentMark = "\uE0F2";
export const anyParagraphMark = /\uE0F0[^\uE0F1]*\uE0F1|\uE0F2/g;

export interface MarkedParagraphs {
  xml: string;
  /** The number of numbered steps, without headings. */
  steps: number;
  /** The number of steps whose mark in Word is only a letter or a Roman numeral. */
  lettered: number;
  numberedHeadings: number;
  /** Step numbers such as "1.2", "01" or "Step 3:", of which Markdown only has the last number. */
  marks: string[];
}

export const unmarked: Readonly<MarkedParagraphs> = { xml: "", steps: 0, lettered: 0, numberedHeadings: 0, marks: [] };

interface ParagraphRange {
  start: number;
  /** Offsets behind `<w:pPr>` and before its end tag; -1 without this element. */
  propertiesStart: number;
  propertiesEnd: number;
  style: string;
  numId: string | undefined;
  level: number | undefined;
  /** The paragraph's own indent, in twips. */
  indent: number | undefined;
  /** The number of the cell or text box around the paragraph. */
  container: number;
  /** True if the paragraph's end was deleted, so that it continues in the next paragraph. */
  isDeleted: boolean;
}

/**
 * Returns the XML with the number of each numbered paragraph as a mark in its text, and with list properties that come
 * from paragraph styles.
 */
export function withParagraphMarks(
  documentXml: string,
  parts: { numbering: string; styles: string },
): MarkedParagraphs {
  const numbering = readNumbering(parts.numbering);
  const styles = readStyles(parts.styles);
  const count = createItemCounter(numbering);
  const nesting = new ListNesting();
  const marked: MarkedParagraphs = { ...unmarked, marks: [] };
  const edits: { at: number; text: string }[] = [];
  for (const paragraph of readParagraphs(documentXml)) {
    if (paragraph.isDeleted) continue;
    const own = paragraph.numId;
    const place: ListPlace | undefined =
      own === undefined
        ? listOfStyle(paragraph.style, styles, numbering)
        : { numId: own, level: paragraph.level ?? listOfStyle(paragraph.style, styles, numbering)?.level ?? 0 };
    const at = paragraph.propertiesEnd === -1 ? paragraph.start : paragraph.propertiesEnd + "</w:pPr>".length;
    const counted = place === undefined || own === "0" ? undefined : count(place);
    if (place === undefined || counted === undefined || own === "0") {
      if ((paragraph.indent ?? indentOfStyle(paragraph.style, styles) ?? 0) >= 300)
        edits.push({ at, text: wordRunXml(indentMark) });
      else nesting.endLists();
      continue;
    }
    if (isHeadingStyle(paragraph.style, styles)) {
      nesting.endLists();
      marked.numberedHeadings += counted.format === "bullet" || counted.format === "none" ? 0 : 1;
      continue;
    }
    const indent = indentOfItem(paragraph, place, styles, numbering);
    const level = nesting.levelOf(counted.counter, place.level, indent, paragraph.container);
    if (counted.isWithoutNumber) {
      addListProperties(edits, paragraph, { numId: "0", level: 0 });
      if (counted.mark !== "") edits.push({ at, text: wordRunXml(`${escapeBetweenTags(counted.mark)} `) });
      continue;
    }
    if (level !== place.level || counted.isOwnLevel)
      addListProperties(edits, paragraph, { numId: addedListIdFor(counted.format), level });
    else if (own === undefined || paragraph.level === undefined) addListProperties(edits, paragraph, place);
    if (counted.box !== undefined) edits.push({ at, text: wordRunXml(`${counted.box} `) });
    if (counted.format === "bullet") continue;
    marked.steps += 1;
    if (!counted.isPlain) marked.marks.push(counted.mark);
    else if (/letter|roman/i.test(counted.format)) marked.lettered += 1;
    edits.push({ at, text: wordRunXml(`\uE0F0${counted.counter}:${level}:${counted.number}\uE0F1`) });
  }
  return { ...marked, xml: applyInsertions(documentXml, edits) };
}

function isHeadingStyle(style: string, styles: ReturnType<typeof readStyles>): boolean {
  return /^(heading [1-9]|title)$/i.test(styles.get(style)?.name ?? style.replace(/(\d)$/, " $1"));
}

function wordRunXml(text: string): string {
  return `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
}

function addListProperties(
  edits: { at: number; text: string }[],
  paragraph: ParagraphRange,
  { numId, level }: ListPlace,
): void {
  const list = `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId.replace(/\D/g, "")}"/></w:numPr>`;
  if (paragraph.propertiesEnd === -1) edits.push({ at: paragraph.start, text: `<w:pPr>${list}</w:pPr>` });
  // insert the new list properties first, because Word reads only the first of two
  else edits.push({ at: paragraph.propertiesStart, text: list });
}

function* readParagraphs(xml: string): Generator<ParagraphRange> {
  const open: ParagraphRange[] = [];
  const containers = [0];
  let last = 0;
  let inProperties = false;
  let inChange = 0;
  for (const tag of xmlTags(xml)) {
    const paragraph = open.at(-1);
    if (tag.name === "w:tc" || tag.name === "w:txbxContent") {
      if (tag.kind === "start") containers.push((last += 1));
      else if (tag.kind === "end") containers.pop();
    } else if (tag.name === "w:p" && tag.kind === "start") open.push(newParagraph(tag, containers.at(-1) ?? 0));
    else if (tag.name === "w:p" && tag.kind === "end" && paragraph !== undefined) {
      open.pop();
      yield paragraph;
    } else if (paragraph === undefined) continue;
    else if (tag.name === "w:pPrChange") inChange += tag.kind === "start" ? 1 : tag.kind === "end" ? -1 : 0;
    else if (inChange > 0) continue;
    else if (tag.name === "w:pPr" && tag.kind !== "empty") {
      inProperties = tag.kind === "start";
      if (inProperties) paragraph.propertiesStart = tag.end;
      else paragraph.propertiesEnd = tag.start;
    } else if (inProperties && tag.kind !== "end") addParagraphProperty(paragraph, tag);
  }
}

function newParagraph(tag: XmlTag, container: number): ParagraphRange {
  return {
    start: tag.end,
    propertiesStart: -1,
    propertiesEnd: -1,
    style: "",
    numId: undefined,
    level: undefined,
    indent: undefined,
    container,
    isDeleted: false,
  };
}

function addParagraphProperty(paragraph: ParagraphRange, tag: XmlTag): void {
  const value = attributeOfTag(tag, "w:val");
  if (tag.name === "w:pStyle") paragraph.style = value ?? "";
  else if (tag.name === "w:numId") paragraph.numId = value;
  else if (tag.name === "w:ilvl") paragraph.level = Number(value ?? 0);
  else if (tag.name === "w:del" || tag.name === "w:moveFrom") paragraph.isDeleted = true;
  else if (tag.name === "w:ind") paragraph.indent = leftIndentOf(tag);
}

function applyInsertions(xml: string, edits: { at: number; text: string }[]): string {
  const parts: string[] = [];
  let done = 0;
  // at the same offset, list properties come before the mark, because the mark is part of the text
  const orderRank = ({ text }: { text: string }) => (text.startsWith("<w:r>") ? 1 : 0);
  for (const { at, text } of edits.toSorted((a, b) => a.at - b.at || orderRank(a) - orderRank(b))) {
    parts.push(xml.slice(done, at), text);
    done = at;
  }
  return parts.join("") + xml.slice(done);
}
