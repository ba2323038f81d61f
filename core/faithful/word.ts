/**
 * Reads what a reader of a Word file sees: words, list numbers, checkboxes and table cells (ISO/IEC 29500-1). It shares
 * no code with the import, so that a fault of the import is noticed.
 */
import type { ReadingToken } from "../markdown/html/reading.ts";
import { WordListCounters } from "./word-counters.ts";
import { hasAddressAsText, textShownByField, type WordField } from "./word-fields.ts";
import { WordListLevels } from "./word-levels.ts";
import { WordStyles } from "./word-styles.ts";
import { textWithSymbols, symbolCharacterOf } from "./word-symbols.ts";
import { isLinkAddress } from "../markdown/html/seen-elements.ts";
import { visibleGridColumns, cellsInGridColumns, wordTableRowsOf } from "./word-tables.ts";
import {
  chooseAlternativeContent,
  emptyXmlNode,
  findDescendants,
  childNamed,
  outermostNamed,
  parseXml,
  xmlNodeText,
  xmlAttribute,
  isPropertyOn,
  type WordXmlNode,
  type ParsedWordParts,
  type WordParts,
  type WordReading,
} from "./word-xml.ts";

export interface WordReaderOptions {
  /** True for files that this program exported: the control block is skipped, and titles of boxes give their kind. */
  own?: boolean;
  /**
   * True for a right-to-left document, in which tables of the other direction are mirrored. If absent, no table is
   * mirrored.
   */
  fromRight?: boolean;
}

/** Reads a Word file. @throws RangeError for parts that are nested too deeply */
export function readWord(parts: WordParts, { own = false, fromRight }: WordReaderOptions = {}): WordReading {
  const [document, styles, numbering, footnotes, endnotes] = (
    ["document", "styles", "numbering", "footnotes", "endnotes"] as const
  ).map((name) => parseXml(parts[name])) as [WordXmlNode, WordXmlNode, WordXmlNode, WordXmlNode, WordXmlNode];
  const reader = new WordReader({ styles, numbering, footnotes, endnotes, own, fromRight });
  const [body] = findDescendants(document, "w:body");
  let blocks = body?.children ?? [];
  if (own) {
    const control = blocks.findIndex(({ name }) => name === "w:tbl");
    blocks = blocks.slice(control + 1);
  }
  reader.readBlocks(blocks);
  reader.readNotes();
  return { seen: reader.finish(), hidden: reader.hidden, prompts: reader.prompts };
}

const codeStyles = new Set(["source code", "html preformatted", "preformatted text", "code block", "code"]);
const wrappers = new Set(["w:ins", "w:moveTo", "w:smartTag", "w:customXml", "w:dir", "w:bdo"]);

class WordReader {
  readonly hidden: string[] = [];
  readonly prompts: string[] = [];
  private readonly seen: ReadingToken[] = [];
  private word = "";
  private isStruck = false;
  private fields: WordField[] = [];
  private notesSeen: { kind: "w:footnote" | "w:endnote"; id: string }[] = [];
  private hasTitle = false;
  private isJoined = false;
  private joinedAt = 0;
  private isInCell = false;
  private hasLine = false;
  private codeAt = -1;
  private below: WordXmlNode[] = [];
  private readonly styles: WordStyles;
  private readonly counters: WordListCounters;
  private readonly levels: WordListLevels;
  private readonly parts: ParsedWordParts;
  private readonly own: boolean;

  constructor(parts: ParsedWordParts) {
    this.styles = new WordStyles(parts.styles);
    this.counters = new WordListCounters(parts.numbering);
    this.levels = new WordListLevels(this.styles, this.counters);
    this.parts = parts;
    this.own = parts.own;
  }

  finish(): ReadingToken[] {
    this.endWord();
    return this.seen;
  }

  readNotes(): void {
    this.notesSeen.forEach(({ kind, id }, index) => {
      this.addToken(`#1:${index + 1}`);
      this.levels.endLists();
      this.readBlocks(this.noteOf(kind, id)?.children ?? [], 1);
    });
  }

  private noteOf(kind: "w:footnote" | "w:endnote", id: string): WordXmlNode | undefined {
    const all = kind === "w:footnote" ? this.parts.footnotes : this.parts.endnotes;
    return findDescendants(all, kind).find((one) => xmlAttribute(one, "w:id") === id);
  }

  /** Reads paragraphs and tables. @param above the number of list levels around the nodes */
  readBlocks(nodes: readonly WordXmlNode[], above = 0): void {
    for (const node of nodes) {
      if (node.name === "w:p") this.readParagraph(node, above);
      else if (node.name === "w:tbl") this.readTable(node);
      else if (node.name === "w:sdt") this.readControl(node, (content) => this.readBlocks(content.children, above));
      else if (node.name === "w:ins" || node.name === "w:moveTo" || node.name === "w:customXml")
        this.readBlocks(node.children, above);
      else if (node.name === "mc:AlternateContent") this.readBlocks(chooseAlternativeContent(node), above);
    }
  }

  private addToken(seen: ReadingToken): void {
    this.endWord();
    this.seen.push(seen);
  }

  /** Adds the number or checkbox of an item, before words that a tracked change joined to the item. */
  private addItemMark(seen: ReadingToken): void {
    if (this.isJoined) this.seen.splice(this.joinedAt, 0, seen);
    else this.addToken(seen);
  }

  private endWord(): void {
    const word = this.word.replace(/[\u00AD\u200B\u200E\u200F\u2060]/g, "").normalize("NFC");
    this.word = "";
    if (word !== "") this.seen.push((this.isStruck ? "~" : "w") + word);
  }

  private addText(text: string, isStruck: boolean): void {
    for (const part of text.split(/(\s+|[☐☑☒])/u)) {
      if (part === "") continue;
      if (/^\s/.test(part)) this.endWord();
      else if (/^[☐☑☒]$/u.test(part)) this.addToken(part === "☐" ? "x0" : "x1");
      else {
        if (this.word !== "" && this.isStruck !== isStruck) this.endWord();
        this.isStruck = isStruck;
        this.word += part;
      }
    }
  }

  private readParagraph(node: WordXmlNode, above: number): void {
    const properties = childNamed(node, "w:pPr");
    const style = xmlAttribute(childNamed(properties, "w:pStyle"));
    const name = this.styles.nameOf(style);
    const mark = childNamed(properties, "w:rPr");
    if (!this.isJoined) this.endWord();
    if (!this.own && name === "title" && !this.hasTitle && xmlNodeText(node).trim() !== "") {
      this.hasTitle = true;
      for (const drawing of findDescendants(node, "w:drawing")) this.readContent(drawing, false);
      return;
    }
    if (!this.own && name.startsWith("toc ")) return;
    if (this.own && style === "AlertTitle")
      return this.addToken(`!${/\p{L}.*/u.exec(xmlNodeText(node))?.[0].toLowerCase()}`);
    if (this.own && style === "CodeBlock") {
      const code = findDescendants(node, "w:t", "w:br").map((one) => (one.name === "w:br" ? "\n" : one.text));
      const text = code.join("").replace(/^\n|\n+$/g, "");
      return text.trim() === "" ? undefined : this.addToken(`p${text}`);
    }
    if (!this.own && codeStyles.has(name)) return this.readCodeLine(node);
    this.codeAt = -1;
    const list = this.styles.listOf(properties, style, this.counters);
    // a deleted paragraph end joins two paragraphs, and a drop cap is the first letter of the paragraph below
    const isLetter = ["drop", "margin"].includes(xmlAttribute(childNamed(properties, "w:framePr"), "w:dropCap") ?? "");
    const isGone = childNamed(mark, "w:del") !== undefined || childNamed(mark, "w:moveFrom") !== undefined || isLetter;
    const isHidden = isPropertyOn(childNamed(mark, "w:vanish")) && this.isEmpty(node, style);
    const isItem = list !== undefined && list.numId !== "0" && !isHidden && !isGone;
    const counted = isItem ? this.counters.nextNumber(list.numId, list.level) : undefined;
    // skip the numbers of headings: the import leaves them out and reports that
    if (/^heading [1-9]$/.test(name)) this.levels.endLists();
    else if (!isItem || counted === undefined) this.levels.addParagraph(properties, style);
    else {
      const level = 1 + above + (this.own ? list.level : this.levels.levelOf(list, properties, style));
      if (counted.words !== undefined) this.addText(`${counted.words} `, false);
      else if (counted.box !== undefined) this.addItemMark(counted.box);
      else if (counted.format !== "bullet") this.addItemMark(`#${level}:${counted.number}`);
      else if (!this.beginsWithBox(node) && (this.own || !this.isEmpty(node, style))) this.addItemMark(`*${level}`);
    }
    if (isGone && !this.isJoined) this.joinedAt = this.seen.length;
    const isOnLine = (run: WordXmlNode) =>
      xmlNodeText(run).trim() !== "" && !Number(xmlAttribute(childNamed(childNamed(run, "w:rPr"), "w:position")) ?? 0);
    this.hasLine = findDescendants(node, "w:r").some(isOnLine);
    this.readRuns(node, style);
    this.isJoined = isGone;
    if (!isGone) this.endWord();
    for (const box of this.below.splice(0)) this.readBlocks(box.children);
  }

  /** Reads a line of code. Neighboring code paragraphs are one code block. */
  private readCodeLine(node: WordXmlNode): void {
    const line = findDescendants(node, "w:t", "w:br", "w:cr", "w:tab")
      .map(({ name, text }) => (name === "w:t" ? text : name === "w:tab" ? "\t" : "\n"))
      .join("");
    if (this.codeAt === this.seen.length - 1 && this.codeAt !== -1) this.seen[this.codeAt] += `\n${line}`;
    else this.addToken(`p${line}`);
    this.codeAt = this.seen.length - 1;
  }

  private isEmpty(node: WordXmlNode, style: string | undefined): boolean {
    return findDescendants(node, "w:r").every(
      (run) => findDescendants(run, "w:t", "w:sym").length === 0 || this.isHidden(run, style),
    );
  }

  private beginsWithBox(node: WordXmlNode): boolean {
    const copy = new WordReader({ ...this.parts, styles: emptyXmlNode("") });
    copy.readRuns(node, undefined);
    return /^x[01]$/.test(copy.finish()[0] ?? "");
  }

  private isHidden(run: WordXmlNode, style: string | undefined): boolean {
    const own = childNamed(run, "w:rPr");
    const byStyle =
      this.styles.runPropertyOf(xmlAttribute(childNamed(own, "w:rStyle")), "w:vanish") ??
      this.styles.runPropertyOf(style, "w:vanish");
    return isPropertyOn(childNamed(own, "w:vanish") ?? byStyle);
  }

  private readControl(node: WordXmlNode, read: (content: WordXmlNode) => void): void {
    const properties = childNamed(node, "w:sdtPr");
    const content = childNamed(node, "w:sdtContent") ?? emptyXmlNode("");
    if (childNamed(properties, "w:showingPlcHdr") !== undefined) this.prompts.push(xmlNodeText(content));
    else read(content);
  }

  private readRuns(parent: WordXmlNode, style: string | undefined): void {
    for (const node of parent.children) {
      if (node.name === "w:r") this.readRun(node, style);
      else if (node.name === "w:hyperlink") {
        if (!hasAddressAsText(node)) this.seen.push("a");
        this.readRuns(node, style);
      } else if (node.name === "w:sdt") this.readControl(node, (content) => this.readRuns(content, style));
      else if (node.name === "w:fldSimple") {
        const code = node.attributes["w:instr"] ?? "";
        if (/^\s*HYPERLINK/i.test(code) && !hasAddressAsText(node)) this.seen.push("a");
        if (!/NOTEREF/.test(code)) this.readRuns(node, style);
      } else if (wrappers.has(node.name)) this.readRuns(node, style);
      else if (node.name === "mc:AlternateContent") {
        for (const part of chooseAlternativeContent(node))
          this.readRuns({ ...emptyXmlNode(""), children: [part] }, style);
      } else if (node.name === "w:ruby") this.readContent(node, false);
      else if (node.name === "m:oMath" || node.name === "m:oMathPara") {
        this.addText(
          findDescendants(node, "m:t")
            .map(({ text }) => text)
            .join(""),
          false,
        );
      }
    }
  }

  private readRun(run: WordXmlNode, style: string | undefined): void {
    const own = childNamed(run, "w:rPr");
    const runStyle = xmlAttribute(childNamed(own, "w:rStyle"));
    const lookUpStyle = (name: string) =>
      childNamed(own, name) ?? this.styles.runPropertyOf(runStyle, name) ?? this.styles.runPropertyOf(style, name);
    const isHidden = this.isHidden(run, style);
    const isStruck = isPropertyOn(lookUpStyle("w:strike")) || isPropertyOn(lookUpStyle("w:dstrike"));
    const shift = Number(xmlAttribute(childNamed(own, "w:position")) ?? 0);
    const shifted = shift === 0 || !this.hasLine ? undefined : shift > 0 ? "superscript" : "subscript";
    const place = xmlAttribute(childNamed(own, "w:vertAlign")) ?? shifted ?? xmlAttribute(lookUpStyle("w:vertAlign"));
    const fonts = lookUpStyle("w:rFonts");
    const font = xmlAttribute(fonts, "w:ascii") ?? xmlAttribute(fonts, "w:hAnsi") ?? "";
    const isNote = run.children.some(({ name }) => /^w:(?:foot|end)note(?:Reference|Ref)$/.test(name));
    if (
      !isHidden &&
      !isNote &&
      this.isShowing() &&
      run.children.some(({ name }) => name === "w:t" || name === "w:sym")
    ) {
      if (place === "superscript") this.addText("^", isStruck);
      if (place === "subscript") this.addText("_", isStruck);
    }
    let hidden = "";
    for (const node of run.children) {
      switch (node.name) {
        case "w:fldChar":
          this.readField(node, isStruck);
          continue;
        case "w:instrText":
          if (this.fields.length > 0) (this.fields.at(-1) as WordField).code += node.text;
          continue;
      }
      if (isHidden) {
        if (node.name === "w:t") hidden += node.text;
        continue;
      }
      if (!this.isShowing()) continue;
      const field = this.fields.at(-1);
      if (field !== undefined) field.shown += node.name === "w:t" ? node.text : "";
      this.readContent(node, isStruck, font);
    }
    if (hidden.trim() !== "") this.hidden.push(hidden);
  }

  private isShowing(): boolean {
    return this.fields.every(({ isShown }) => isShown);
  }

  private readContent(node: WordXmlNode, isStruck: boolean, font = ""): void {
    switch (node.name) {
      case "w:t":
        return this.addText(textWithSymbols(node.text, font), isStruck);
      case "w:tab":
      case "w:ptab":
      case "w:br":
      case "w:cr":
        return this.endWord();
      case "w:noBreakHyphen":
        return this.addText("\u2011", isStruck);
      case "w:sym":
        return this.addText(
          symbolCharacterOf(node.attributes["w:font"] ?? "", node.attributes["w:char"] ?? ""),
          isStruck,
        );
      case "w:footnoteReference":
      case "w:endnoteReference": {
        const kind = node.name === "w:footnoteReference" ? "w:footnote" : "w:endnote";
        const id = xmlAttribute(node, "w:id") ?? "";
        if (this.noteOf(kind, id) === undefined) return undefined;
        const isKnown = this.notesSeen.some((one) => one.kind === kind && one.id === id);
        if (!isKnown) this.notesSeen.push({ kind, id });
        return undefined;
      }
      case "w:ruby":
        this.readRuns(childNamed(node, "w:rubyBase") ?? emptyXmlNode(""), undefined);
        return this.addText(`(${xmlNodeText(childNamed(node, "w:rt") ?? emptyXmlNode(""))})`, isStruck);
      case "mc:AlternateContent":
        for (const part of chooseAlternativeContent(node)) this.readContent(part, isStruck);
        return undefined;
      case "w:pict":
      case "w:object":
        this.below.push(...outermostNamed(node, "w:txbxContent"));
        return undefined;
      case "w:drawing": {
        this.below.push(...outermostNamed(node, "w:txbxContent"));
        if (findDescendants(node, "pic:pic").length === 0 && findDescendants(node, "a:blip").length === 0)
          return undefined;
        const [image] = findDescendants(node, "wp:docPr");
        return this.addToken(
          `i${(image?.attributes["descr"] || image?.attributes["title"] || "").replace(/\s+/g, " ").trim()}`,
        );
      }
      default:
    }
  }

  private readField(node: WordXmlNode, isStruck: boolean): void {
    const type = xmlAttribute(node, "w:fldCharType");
    const field = this.fields.at(-1);
    if (type === "begin") this.fields.push({ code: "", begin: node, isShown: false, shown: "" });
    else if (field === undefined) return;
    else if (type === "separate") {
      field.isShown = true;
      const code = field.code.trim();
      if (code.startsWith("HYPERLINK")) field.linkAt = this.seen.push("a") - 1;
    } else {
      this.fields.pop();
      if (field.linkAt !== undefined && isLinkAddress(field.shown)) this.seen.splice(field.linkAt, 1);
      if (!this.isShowing()) return;
      const isEmpty = field.shown.trim() === "";
      this.addText(textShownByField(field), isStruck);
      if (/^\s*FORMTEXT/.test(field.code) && isEmpty) this.prompts.push("");
    }
  }

  private readTable(node: WordXmlNode): void {
    if (this.isInCell) return this.readInnerTable(node);
    this.isInCell = true;
    this.readOuterTable(node);
    this.isInCell = false;
  }

  /**
   * Reads a table inside a cell: each row as a line with dots between its cells, as the import writes and reports it.
   */
  private readInnerTable(node: WordXmlNode): void {
    for (const row of wordTableRowsOf(node)) {
      cellsInGridColumns(row, []).forEach(({ cell }, index) => {
        if (index > 0) this.addToken("w·");
        this.readBlocks(cell.children);
        this.endWord();
      });
    }
  }

  private readOuterTable(node: WordXmlNode): void {
    const gaps: { from: number; to: number }[] = [];
    const placed = wordTableRowsOf(node).map((row) => cellsInGridColumns(row, gaps));
    const from = this.parts.fromRight;
    const order = visibleGridColumns(placed, gaps, from !== undefined && this.styles.isTableFromRight(node) !== from);
    placed.forEach((cells, index) => {
      let isFirst = true;
      for (const { cell, column, width } of cells) {
        const merge = childNamed(childNamed(cell, "w:tcPr"), "w:vMerge");
        const above = placed[index - 1]?.find((one) => one.column === column && one.width === width);
        const isMerged = childNamed(childNamed(above?.cell, "w:tcPr"), "w:vMerge") !== undefined;
        if (merge !== undefined && xmlAttribute(merge) !== "restart" && isMerged) continue;
        this.endWord();
        const at = this.seen.length;
        this.levels.endLists();
        this.readBlocks(cell.children);
        this.levels.endLists();
        this.endWord();
        if (this.seen.length === at) continue;
        this.seen.splice(at, 0, ...(isFirst ? ["r"] : []), `c${order.indexOf(column)}`);
        isFirst = false;
      }
    });
  }
}
