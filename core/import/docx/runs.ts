import { checkboxOfSymbol } from "./boxes.ts";
import type { DocxLosses } from "./noted.ts";
import { emptyLine, runLookOf, type RunLook, type StyleBook } from "./styles.ts";
import {
  childElement,
  isXmlElement,
  createXmlElement,
  attributeValueOf,
  descendantElements,
  wordTextElement,
  xmlText,
  type XmlElement,
  type XmlNode,
} from "./xml-tree.ts";

const symbolFont = /^(?:symbol|wingdings(?: [23])?|webdings|zapf ?dingbats)$/i;

/**
 * Changes the runs of a part so that they contain what Word shows: hidden runs are removed, strikethrough and raised
 * position are set on the runs themselves, and characters of symbol fonts become symbols.
 */
export function replaceRuns(root: XmlElement, styles: StyleBook, noted: DocxLosses): void {
  const emptied = new Set<XmlElement>();
  for (const paragraph of descendantElements(root, ["w:p"])) {
    const properties = childElement(paragraph, "w:pPr");
    const style = attributeValueOf(properties && childElement(properties, "w:pStyle"));
    const runs = descendantElements(paragraph, ["w:r"], ["w:p"]);
    const onLine = runs.some(
      (run) =>
        descendantElements(run, ["w:t"]).some(hasVisibleWords) && positionAboveLine(childElement(run, "w:rPr")) === 0,
    );
    let wasHidden = "";
    for (const run of runs) {
      const own = childElement(run, "w:rPr");
      const direct = runLookOf(own);
      const look = { ...styles.styled(style, attributeValueOf(own && childElement(own, "w:rStyle"))), ...direct };
      const position = positionAboveLine(own);
      // a shifted run next to text on the line is an exponent or index
      if (onLine && position !== 0 && direct.raised === undefined)
        look.raised = position > 0 ? "superscript" : "subscript";
      if (look.hidden === true) wasHidden += removeRunWords(run);
      else replaceRun(run, look, direct, noted);
    }
    if (wasHidden.trim() !== "") noted.hidden.push(wasHidden);
    const mark = properties && childElement(properties, "w:rPr");
    const isMarkHidden = { ...styles.styled(style, undefined), ...runLookOf(mark) }.hidden === true;
    if (isMarkHidden && wasHidden !== "" && descendantElements(paragraph, visible).length === 0) emptied.add(paragraph);
    replaceBreaks(runs);
    joinDropCap(paragraph);
    if (styles.isCode(style) && descendantElements(paragraph, visible).length === 0)
      paragraph.children.push(createXmlElement("w:r", "", [wordTextElement(emptyLine)]));
  }
  if (emptied.size > 0) removeElements(root, emptied);
}

/** Returns the height of a run above the line, in half points; negative below the line, 0 on it. */
function positionAboveLine(properties: XmlElement | undefined): number {
  return Number(attributeValueOf(properties && childElement(properties, "w:position")) ?? 0) || 0;
}

/**
 * Joins a drop cap to its word. In the file, the letter is a separate paragraph, so the end of that paragraph is marked
 * as deleted.
 */
function joinDropCap(paragraph: XmlElement): void {
  const properties = childElement(paragraph, "w:pPr");
  const frame = properties && childElement(properties, "w:framePr");
  if (properties === undefined || !/^(?:drop|margin)$/.test(attributeValueOf(frame, "w:dropCap") ?? "")) return;
  const mark = childElement(properties, "w:rPr");
  if (mark === undefined) properties.children.push(createXmlElement("w:rPr", "", [createXmlElement("w:del")]));
  else mark.children.unshift(createXmlElement("w:del"));
}

const visible = ["w:t", "w:sym", "w:drawing", "w:pict", "w:object", "w:footnoteReference", "w:endnoteReference"];

/** Empties a run except for field marks. @returns the removed words */
function removeRunWords(run: XmlElement): string {
  const words = descendantElements(run, ["w:t", "w:sym"])
    .map((node) => (node.name === "w:t" ? xmlText(node) : " "))
    .join("");
  run.children = run.children.filter((node) => isXmlElement(node, "w:rPr", "w:fldChar", "w:instrText"));
  return words;
}

function removeElements(parent: XmlElement, gone: ReadonlySet<XmlElement>): void {
  const kept = parent.children.filter((node) => !isXmlElement(node) || !gone.has(node));
  // a cell needs at least one paragraph
  parent.children =
    parent.name === "w:tc" && !kept.some((node) => isXmlElement(node, "w:p"))
      ? [...kept, createXmlElement("w:p")]
      : kept;
  for (const node of parent.children) if (isXmlElement(node)) removeElements(node, gone);
}

function replaceRun(run: XmlElement, look: RunLook, direct: RunLook, noted: DocxLosses): void {
  const isNote = run.children.some(
    (node) => isXmlElement(node) && /^w:(?:foot|end)note(?:Reference|Ref)$/.test(node.name),
  );
  const missing: XmlElement[] = [];
  if (look.struck === true) missing.push(createXmlElement("w:strike"));
  if (look.raised !== undefined && look.raised !== "baseline" && direct.raised === undefined && !isNote)
    missing.push(createXmlElement("w:vertAlign", `w:val="${look.raised}"`));
  if (missing.length > 0) addProperties(run, missing);
  if (direct.capitals === true && /\p{Ll}/u.test(xmlText(run))) noted.capitals.push(xmlText(run));
  run.children = run.children.flatMap((node): XmlNode[] => {
    if (isXmlElement(node, "w:sym"))
      return [symbolElementOf(attributeValueOf(node, "w:font") ?? "", attributeValueOf(node, "w:char") ?? "", node)];
    return isXmlElement(node, "w:t") ? symbolElementsOfText(node, look.font ?? "") : [node];
  });
}

function addProperties(run: XmlElement, more: readonly XmlElement[]): void {
  const own = childElement(run, "w:rPr");
  const names = more.map(({ name }) => name);
  if (own === undefined) run.children.unshift(createXmlElement("w:rPr", "", [...more]));
  else own.children = [...more, ...own.children.filter((node) => !isXmlElement(node, ...names))];
}

function symbolElementOf(font: string, code: string, node: XmlElement): XmlElement {
  const point = Number.parseInt(code, 16);
  if (!Number.isInteger(point)) return node;
  const box = checkboxOfSymbol(font, point);
  if (box !== undefined) return wordTextElement(box);
  // a code outside of the private range of symbol fonts is a Unicode character
  return point > 0xff && !(point >= 0xe000 && point <= 0xf8ff) && point <= 0x10ffff
    ? wordTextElement(String.fromCodePoint(point))
    : node;
}

/** Splits a text element into text and symbol elements: in a symbol font, letters are codes of symbols. */
function symbolElementsOfText(node: XmlElement, font: string): XmlElement[] {
  const text = xmlText(node);
  const isSymbols = symbolFont.test(font);
  if (!isSymbols && !/[\uf020-\uf0ff]/.test(text)) return [node];
  const out: XmlElement[] = [];
  let plain = "";
  const flushText = (): void => {
    if (plain !== "") out.push(wordTextElement(plain));
    plain = "";
  };
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const isSymbol = (point >= 0xf020 && point <= 0xf0ff) || (isSymbols && point > 0x20 && point < 0x100);
    if (!isSymbol || point === 0xa0) {
      plain += point === 0xf020 ? " " : character;
      continue;
    }
    flushText();
    const code = (point < 0xf000 ? point + 0xf000 : point).toString(16).toUpperCase();
    const name = (font || "a font without a name").replace(/["&<]/g, "");
    out.push(symbolElementOf(name, code, createXmlElement("w:sym", `w:font="${name}" w:char="${code}"`)));
  }
  flushText();
  return out;
}

/** Replaces page and column breaks by line breaks between words, and removes them elsewhere. */
function replaceBreaks(runs: readonly XmlElement[]): void {
  const parts = runs.flatMap((run) => run.children.filter((node): node is XmlElement => isXmlElement(node)));
  for (const [index, part] of parts.entries()) {
    if (part.name !== "w:br" || !/^(?:page|column)$/.test(attributeValueOf(part, "w:type") ?? "")) continue;
    const isInside = parts.slice(0, index).some(hasVisibleWords) && parts.slice(index + 1).some(hasVisibleWords);
    Object.assign(part, isInside ? createXmlElement("w:br") : createXmlElement("w:t"));
  }
}

function hasVisibleWords(node: XmlElement): boolean {
  return node.name === "w:sym" || (node.name === "w:t" && xmlText(node).trim() !== "");
}
