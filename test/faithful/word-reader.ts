/**
 * What a reader of a Word file sees, from its parts alone (ISO/IEC 29500-1): words, numbers as Word counts them, boxes,
 * cells by the columns of the grid. It shares no code with the import, so that the import is not compared with itself.
 */
import { unzipSync } from "fflate";
import { element, find, get, parse, val, yes, type Node } from "./word-xml.ts";
import type { Seen } from "../../core/faithful/reading.ts";

export interface WordReading {
  seen: Seen[];
  /** Words that Word hides, and prompts of empty form fields. */
  hidden: string[];
  prompts: string[];
}

export interface WordReaderOptions {
  /** One of our own exports: without the block of its first page, titles of boxes are their kind. */
  own?: boolean;
}

export function readWord(bytes: Uint8Array, { own = false }: WordReaderOptions = {}): WordReading {
  const files = unzipSync(bytes);
  const part = (name: string): Node => {
    const file = files[`word/${name}.xml`];
    return file === undefined ? element("none") : parse(new TextDecoder().decode(file));
  };
  const reader = new WordReader(part("styles"), part("numbering"), part("footnotes"), own);
  const [body] = find(part("document"), "w:body");
  let blocks = body?.children ?? [];
  if (own) {
    const control = blocks.findIndex(({ name }) => name === "w:tbl");
    blocks = blocks.slice(control + 1);
  }
  reader.blocks(blocks, true);
  reader.notes();
  return { seen: reader.end(), hidden: reader.hidden, prompts: reader.prompts };
}

interface Field {
  code: string;
  begin: Node;
  isShown: boolean;
  shown: string;
}

const symbols: Record<string, Record<string, string>> = {
  Symbol: { F0B0: "°", F06D: "μ", F0B3: "≥", F0A3: "≤", F0B1: "±" },
  Wingdings: { F0FE: "☒", F0A8: "☐", F0E0: "🡪" },
};

/** Word's own numbering: each abstract list counts, a deeper level starts again below each item. */
class Counters {
  private readonly counts = new Map<string, number[]>();
  private readonly started = new Set<string>();
  private readonly numbering: Node;

  constructor(numbering: Node) {
    this.numbering = numbering;
  }

  next(numId: string, level: number): { number: number; format: string } | undefined {
    const list = find(this.numbering, "w:num").find((one) => val(one, "w:numId") === numId);
    const id = val(get(list, "w:abstractNumId"));
    const abstract = find(this.numbering, "w:abstractNum").find((one) => val(one, "w:abstractNumId") === id);
    const own = abstract?.children.find((one) => one.name === "w:lvl" && val(one, "w:ilvl") === String(level));
    if (list === undefined || id === undefined || own === undefined) return undefined;
    const counts = this.counts.get(id) ?? [];
    this.counts.set(id, counts);
    const override = list.children.find((one) => one.name === "w:lvlOverride" && val(one, "w:ilvl") === String(level));
    const restart = val(get(override, "w:startOverride"));
    const first = Number(restart ?? val(get(own, "w:start")) ?? 1);
    const key = `${numId}:${level}`;
    if (restart !== undefined && !this.started.has(key)) counts[level] = first;
    else counts[level] = (counts[level] ?? first - 1) + 1;
    this.started.add(key);
    counts.length = level + 1;
    return { number: counts[level] ?? first, format: val(get(own, "w:numFmt")) ?? "decimal" };
  }
}

class WordReader {
  readonly hidden: string[] = [];
  readonly prompts: string[] = [];
  private readonly seen: Seen[] = [];
  private word = "";
  private isStruck = false;
  private fields: Field[] = [];
  private noteIds: string[] = [];
  private readonly styles = new Map<string, Node>();
  private readonly counters: Counters;
  private readonly footnotes: Node;
  private readonly own: boolean;

  constructor(styles: Node, numbering: Node, footnotes: Node, own: boolean) {
    for (const style of find(styles, "w:style")) this.styles.set(val(style, "w:styleId") ?? "", style);
    this.counters = new Counters(numbering);
    this.footnotes = footnotes;
    this.own = own;
  }

  end(): Seen[] {
    this.endWord();
    return this.seen;
  }

  notes(): void {
    this.noteIds.forEach((id, index) => {
      const note = find(this.footnotes, "w:footnote").find((one) => val(one, "w:id") === id);
      this.put(`#1:${index + 1}`);
      this.blocks(note?.children ?? [], false, 1);
    });
  }

  blocks(nodes: readonly Node[], isPage: boolean, above = 0): void {
    for (const node of nodes) {
      if (node.name === "w:p") this.paragraph(node, above);
      else if (node.name === "w:tbl") this.table(node);
      else if (node.name === "w:sdt") this.control(node, (content) => this.blocks(content.children, isPage, above));
      else if (node.name === "w:ins") this.blocks(node.children, isPage, above);
    }
  }

  private put(seen: Seen): void {
    this.endWord();
    this.seen.push(seen);
  }

  private endWord(): void {
    const word = this.word.replace(/[\u00AD\u200B\u200E\u200F\u2060]/g, "").normalize("NFC");
    this.word = "";
    if (word !== "") this.seen.push((this.isStruck ? "~" : "w") + word);
  }

  private say(text: string, isStruck: boolean): void {
    for (const part of text.split(/(\s+|[☐☑☒])/u)) {
      if (part === "") continue;
      if (/^\s/.test(part)) this.endWord();
      else if (/^[☐☑☒]$/u.test(part)) this.put(part === "☐" ? "x0" : "x1");
      else {
        if (this.word !== "" && this.isStruck !== isStruck) this.endWord();
        this.isStruck = isStruck;
        this.word += part;
      }
    }
  }

  private style(id: string | undefined, name: string): Node | undefined {
    for (let at = this.styles.get(id ?? ""); at !== undefined; at = this.styles.get(val(get(at, "w:basedOn")) ?? "")) {
      const found = get(get(at, "w:rPr"), name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private paragraph(node: Node, above: number): void {
    this.endWord();
    const properties = get(node, "w:pPr");
    const style = val(get(properties, "w:pStyle"));
    if (!this.own && style === "Title") {
      for (const drawing of find(node, "w:drawing")) this.content(drawing, false);
      return;
    }
    if (!this.own && style?.startsWith("TOC") === true) return;
    if (this.own && style === "AlertTitle") return this.put(`!${textOf(node).toLowerCase()}`);
    if (this.own && style === "CodeBlock") {
      const code = find(node, "w:t", "w:br").map((one) => (one.name === "w:br" ? "\n" : one.text));
      const text = code.join("").replace(/^\n|\n+$/g, "");
      return text.trim() === "" ? undefined : this.put(`p${text}`);
    }
    const list = get(properties, "w:numPr");
    const numId = val(get(list, "w:numId"));
    const mark = get(properties, "w:rPr");
    const isGone = yes(get(mark, "w:vanish")) && this.isEmpty(node, style);
    if (numId !== undefined && numId !== "0" && !isGone) {
      const level = Number(val(get(list, "w:ilvl")) ?? 0);
      const counted = this.counters.next(numId, level);
      const isBullet = counted?.format === "bullet" || counted?.format === "none";
      if (counted !== undefined && !isBullet) this.put(`#${level + 1 + above}:${counted.number}`);
      else if (counted !== undefined && !this.beginsWithBox(node) && (this.own || !this.isEmpty(node, style)))
        this.put(`*${level + 1 + above}`);
    }
    this.runs(node, style);
    this.endWord();
  }

  private isEmpty(node: Node, style: string | undefined): boolean {
    return find(node, "w:r").every((run) => find(run, "w:t", "w:sym").length === 0 || this.isHidden(run, style));
  }

  private beginsWithBox(node: Node): boolean {
    const copy = new WordReader(element(""), element(""), element(""), this.own);
    copy.runs(node, undefined);
    return /^x[01]$/.test(copy.end()[0] ?? "");
  }

  private isHidden(run: Node, style: string | undefined): boolean {
    const own = get(run, "w:rPr");
    const byStyle = this.style(val(get(own, "w:rStyle")), "w:vanish") ?? this.style(style, "w:vanish");
    return yes(get(own, "w:vanish") ?? byStyle);
  }

  private control(node: Node, read: (content: Node) => void): void {
    const properties = get(node, "w:sdtPr");
    const content = get(node, "w:sdtContent") ?? element("");
    if (get(properties, "w:showingPlcHdr") !== undefined) this.prompts.push(textOf(content));
    else read(content);
  }

  private runs(parent: Node, style: string | undefined): void {
    for (const node of parent.children) {
      if (node.name === "w:r") this.run(node, style);
      else if (node.name === "w:hyperlink") {
        this.seen.push("a");
        this.runs(node, style);
      } else if (node.name === "w:sdt") this.control(node, (content) => this.runs(content, style));
      else if (node.name === "w:fldSimple") {
        const isNote = /NOTEREF/.test(node.attributes["w:instr"] ?? "");
        if (!isNote) this.runs(node, style);
      } else if (["w:ins", "w:moveTo", "w:smartTag", "w:dir", "w:bdo"].includes(node.name)) this.runs(node, style);
    }
  }

  private run(run: Node, style: string | undefined): void {
    const own = get(run, "w:rPr");
    const runStyle = val(get(own, "w:rStyle"));
    const look = (name: string) => get(own, name) ?? this.style(runStyle, name) ?? this.style(style, name);
    const isHidden = this.isHidden(run, style);
    const isStruck = yes(look("w:strike")) || yes(look("w:dstrike"));
    const place = val(look("w:vertAlign"));
    const isNote = run.children.some(({ name }) => name === "w:footnoteReference" || name === "w:footnoteRef");
    if (!isHidden && !isNote && this.shows() && run.children.some(({ name }) => name === "w:t" || name === "w:sym")) {
      if (place === "superscript") this.say("^", isStruck);
      if (place === "subscript") this.say("_", isStruck);
    }
    let hidden = "";
    for (const node of run.children) {
      switch (node.name) {
        case "w:fldChar":
          this.field(node, isStruck);
          continue;
        case "w:instrText":
          if (this.fields.length > 0) (this.fields.at(-1) as Field).code += node.text;
          continue;
      }
      if (isHidden) {
        if (node.name === "w:t") hidden += node.text;
        continue;
      }
      if (!this.shows()) continue;
      const field = this.fields.at(-1);
      if (field !== undefined) field.shown += node.name === "w:t" ? node.text : "";
      this.content(node, isStruck);
    }
    if (hidden.trim() !== "") this.hidden.push(hidden);
  }

  private shows(): boolean {
    return this.fields.every(({ isShown }) => isShown);
  }

  private content(node: Node, isStruck: boolean): void {
    switch (node.name) {
      case "w:t":
        return this.say(node.text, isStruck);
      case "w:tab":
      case "w:br":
      case "w:cr":
        return this.endWord();
      case "w:noBreakHyphen":
        return this.say("\u2011", isStruck);
      case "w:sym": {
        const { "w:font": font = "", "w:char": char = "" } = node.attributes;
        return this.say(symbols[font]?.[char] ?? String.fromCodePoint(Number.parseInt(char, 16)), isStruck);
      }
      case "w:footnoteReference": {
        const id = val(node, "w:id") ?? "";
        if (!this.noteIds.includes(id)) this.noteIds.push(id);
        return undefined;
      }
      case "w:drawing": {
        const [picture] = find(node, "wp:docPr");
        return this.put(`i${picture?.attributes["descr"] ?? ""}`);
      }
      default:
    }
  }

  private field(node: Node, isStruck: boolean): void {
    const type = val(node, "w:fldCharType");
    const field = this.fields.at(-1);
    if (type === "begin") this.fields.push({ code: "", begin: node, isShown: false, shown: "" });
    else if (field === undefined) return;
    else if (type === "separate") {
      field.isShown = true;
      const code = field.code.trim();
      if (code.startsWith("HYPERLINK")) this.seen.push("a");
    } else {
      this.fields.pop();
      if (!this.shows()) return;
      if (/^\s*FORMCHECKBOX/.test(field.code)) {
        const [box] = find(field.begin, "w:checkBox");
        this.say(
          yes(get(box, "w:checked") ?? get(box, "w:default") ?? { ...element(""), attributes: { "w:val": "0" } })
            ? "☒"
            : "☐",
          isStruck,
        );
      } else if (/^\s*FORMDROPDOWN/.test(field.code)) {
        const [list] = find(field.begin, "w:ddList");
        const chosen = Number(val(get(list, "w:result") ?? get(list, "w:default")) ?? 0);
        this.say(val(list === undefined ? undefined : find(list, "w:listEntry")[chosen]) ?? "", isStruck);
      } else if (/^\s*FORMTEXT/.test(field.code) && field.shown.trim() === "") this.prompts.push("");
    }
  }

  private table(node: Node): void {
    const rows = rowsOf(node);
    const placed = rows.map((row) => {
      const properties = get(row, "w:trPr");
      let column = Number(val(get(properties, "w:gridBefore")) ?? 0);
      return cellsOf(row).map((cell) => {
        const width = Number(val(get(get(cell, "w:tcPr"), "w:gridSpan")) ?? 1);
        const place = { cell, column, width };
        column += width;
        return place;
      });
    });
    const edges = new Set([0, ...placed.flat().flatMap(({ column, width }) => [column, column + width])]);
    const order = [...edges].sort((one, other) => one - other);
    placed.forEach((cells, index) => {
      let isFirst = true;
      for (const { cell, column, width } of cells) {
        const merge = get(get(cell, "w:tcPr"), "w:vMerge");
        const above = placed[index - 1]?.find((one) => one.column === column && one.width === width);
        const isMerged = get(get(above?.cell, "w:tcPr"), "w:vMerge") !== undefined;
        if (merge !== undefined && val(merge) !== "restart" && isMerged) continue;
        this.endWord();
        const at = this.seen.length;
        this.blocks(cell.children, false);
        this.endWord();
        if (this.seen.length === at) continue;
        this.seen.splice(at, 0, ...(isFirst ? ["r"] : []), `c${order.indexOf(column)}`);
        isFirst = false;
      }
    });
  }
}

function textOf(node: Node): string {
  return node.text + node.children.map(textOf).join("");
}

function rowsOf(table: Node): Node[] {
  return table.children.flatMap((child) => {
    if (child.name === "w:tr") return get(get(child, "w:trPr"), "w:del") === undefined ? [child] : [];
    return child.name === "w:sdt" ? rowsOf(get(child, "w:sdtContent") ?? element("")) : [];
  });
}

function cellsOf(row: Node): Node[] {
  return row.children.flatMap((child) => {
    if (child.name === "w:tc") return [child];
    return child.name === "w:sdt" ? cellsOf(get(child, "w:sdtContent") ?? element("")) : [];
  });
}
