import type { Random } from "../audit-tamper.ts";
import { docx, level, part, rel, rels, run, style } from "../word-file.ts";
import { latin, pick, words } from "./words.ts";

const levels = (format: string, more = "") => Array.from({ length: 4 }, (_, at) => level(at, format, more)).join("");
const numbering = part(
  "numbering",
  `<w:abstractNum w:abstractNumId="0">${levels("decimal")}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="1">${levels("bullet")}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="2">${levels("decimal")}</w:abstractNum>` +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>' +
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>' +
    '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>' +
    '<w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>',
);
const styles = part(
  "styles",
  style("Title", "Title") +
    style("Heading2", "heading 2") +
    style("Gone", "Gone", "<w:rPr><w:vanish/></w:rPr>") +
    '<w:style w:type="character" w:styleId="Up"><w:name w:val="Up"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>' +
    '<w:style w:type="character" w:styleId="Out"><w:name w:val="Out"/><w:rPr><w:strike/></w:rPr></w:style>',
);

/**
 * Makes a Word file with the content of procedures and forms: lists, fields, controls, spans, hidden and struck text.
 */
export function makeWord(random: Random): Uint8Array {
  const maker = new WordMaker(random);
  const blocks = Array.from({ length: 2 + random(6) }, () => maker.block()).join("");
  const body = `<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr>${run("Made up")}</w:p>${blocks}`;
  return docx(body, {
    "word/numbering.xml": numbering,
    "word/styles.xml": styles,
    "word/footnotes.xml": part("footnotes", maker.footnotes.join("")),
    "word/_rels/document.xml.rels": rels(
      rel("n", "numbering", "numbering.xml") +
        rel("s", "styles", "styles.xml") +
        rel("f", "footnotes", "footnotes.xml") +
        rel("h", "hyperlink", "https://example.org/a", ' TargetMode="External"'),
    ),
  });
}

class WordMaker {
  readonly footnotes: string[] = [];
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  block(inCell = false): string {
    const kind = this.random(inCell ? 5 : 10);
    if (kind < 3) return this.paragraph();
    if (kind < 5) return this.list(inCell);
    if (kind === 5) return this.paragraph('<w:pStyle w:val="Heading2"/>', run(words(this.random)));
    if (kind === 6)
      return this.paragraph('<w:pStyle w:val="Gone"/><w:rPr><w:vanish/></w:rPr>', run(words(this.random)));
    if (kind === 7)
      return `<w:p><w:pPr/>${this.line()}<w:ins w:id="1" w:author="A">${run(words(this.random))}</w:ins></w:p>`;
    return this.table();
  }

  private paragraph(properties = "", inside = this.line()): string {
    return `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${inside}</w:p>`;
  }

  private list(inCell: boolean): string {
    const numId = pick(this.random, [1, 1, 2, 3, 4]);
    let deep = 0;
    const items = Array.from({ length: 1 + this.random(4) }, (_, index) => {
      if (index > 0) deep = Math.max(0, Math.min(3, deep + this.random(3) - 1));
      const isHidden = index > 0 && this.random(12) === 0;
      const place = `<w:numPr><w:ilvl w:val="${deep}"/><w:numId w:val="${numId}"/></w:numPr>`;
      const box = this.random(4) === 0 ? `${this.box()}${run(" ")}` : "";
      // a visible item comes with it, because a hidden item alone can have no place in a text
      const gone = `${place}<w:rPr><w:vanish/></w:rPr>`;
      const hidden = isHidden ? this.paragraph(gone, run(words(this.random), "<w:vanish/>")) : "";
      return hidden + this.paragraph(place, box + run(`${pick(this.random, latin)} `) + this.line());
    });
    // a paragraph follows each list, so that readers don't join two lists
    return items.join("") + (inCell ? "" : this.paragraph("", run(words(this.random))));
  }

  private line(): string {
    const parts = Array.from({ length: 1 + this.random(3) }, () => this.inline());
    return parts.join(run(" "));
  }

  private inline(): string {
    const { random } = this;
    const text = words(random);
    switch (random(22)) {
      case 0:
        return run(text, "<w:b/>");
      case 1:
        return run(text, pick(random, ["<w:strike/>", "<w:dstrike/>", '<w:rStyle w:val="Out"/>']));
      case 2:
        return run("10") + run("3", pick(random, ['<w:vertAlign w:val="superscript"/>', '<w:rStyle w:val="Up"/>']));
      case 3:
        return run(text, "<w:vanish/>") + run(words(random));
      case 4:
        return `${run("x")}<w:r>${pick(random, ["<w:br/>", "<w:tab/>", "<w:cr/>", '<w:br w:type="page"/>'])}<w:t>y</w:t></w:r>`;
      case 5:
        return `<w:r><w:t>1</w:t><w:noBreakHyphen/><w:t>24 Ven</w:t><w:softHyphen/><w:t>til</w:t></w:r>`;
      case 6: {
        const [font, char] = pick(random, [
          ["Symbol", "F0B0"],
          ["Symbol", "F06D"],
          ["Symbol", "F0B3"],
          ["Arial", "2192"],
        ]);
        return `${run("5 ")}<w:r><w:sym w:font="${font}" w:char="${char}"/></w:r>${run("g")}`;
      }
      case 7:
        return this.box() + run(` ${text}`);
      case 8:
        return this.field(
          "FORMDROPDOWN",
          "",
          `<w:ddList><w:result w:val="${random(2)}"/><w:listEntry w:val="µg"/><w:listEntry w:val="mg"/></w:ddList>`,
        );
      case 9:
        return this.field("FORMTEXT", run(random(2) === 0 ? "\u2002\u2002" : text), '<w:name w:val="f"/>') + run(".");
      case 10:
        return this.field('HYPERLINK "https://example.org/a" \\o "Tip"', run(pick(random, latin)));
      case 11:
        return `<w:hyperlink r:id="h">${run(pick(random, latin))}</w:hyperlink>`;
      case 12:
        return this.control("<w:dropDownList/>", run(text));
      case 13:
        return this.control("<w:text/><w:showingPlcHdr/>", run("Click to enter text")) + run(".");
      case 14:
        return `${run(text)}${this.note()}`;
      case 15:
        return `<w:fldSimple w:instr=" REF x ">${run("7")}</w:fldSimple>`;
      case 16:
        return `${run("a ")}<w:del w:id="2" w:author="A"><w:r><w:delText>gone</w:delText></w:r></w:del>${run("b")}`;
      case 17:
        return run("צינור 80 °C", "<w:rtl/>");
      default:
        return run(text);
    }
  }

  private note(): string {
    const id = this.footnotes.length + 2;
    this.footnotes.push(`<w:footnote w:id="${id}"><w:p>${run(words(this.random))}</w:p></w:footnote>`);
    return `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
  }

  private box(): string {
    const on = this.random(2);
    switch (this.random(4)) {
      case 0:
        return this.field("FORMCHECKBOX", "", `<w:checkBox><w:default w:val="${on}"/></w:checkBox>`);
      case 1:
        return this.control(
          `<w14:checkbox><w14:checked w14:val="${on}"/></w14:checkbox>`,
          `<w:r><w:t>${on === 1 ? "☒" : "☐"}</w:t></w:r>`,
        );
      case 2:
        return `<w:r><w:sym w:font="Wingdings" w:char="${on === 1 ? "F0FE" : "F0A8"}"/></w:r>`;
      default:
        return run(on === 1 ? "☒" : "☐");
    }
  }

  private field(code: string, result: string, data = ""): string {
    const mark = (type: string, inside = "") => `<w:r><w:fldChar w:fldCharType="${type}">${inside}</w:fldChar></w:r>`;
    const instruction = `<w:r><w:instrText xml:space="preserve"> ${code.replace(/"/g, "&quot;")} </w:instrText></w:r>`;
    const begin = mark("begin", data && `<w:ffData>${data}</w:ffData>`);
    return begin + instruction + (result && mark("separate") + result) + mark("end");
  }

  private control(properties: string, content: string): string {
    return `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
  }

  /** A table: a grid that is cut into cells, with rows that begin and end inside the grid. */
  private table(): string {
    const { random } = this;
    const [columns, rows] = [1 + random(4), 1 + random(4)];
    const merges: (number | undefined)[][] = [];
    const lines = Array.from({ length: rows }, (_, row) => {
      let column = 0;
      const before = columns > 1 && row > 0 && random(8) === 0 ? 1 : 0;
      column = before;
      const own: (number | undefined)[] = [];
      merges.push(own);
      let cells = "";
      while (column < columns) {
        const above = merges[row - 1]?.[column];
        const goesOn = above !== undefined && column + above <= columns && random(2) === 0;
        const width = goesOn ? above : 1 + random(Math.min(2, columns - column));
        const starts = random(4) === 0;
        const merge = goesOn ? "<w:vMerge/>" : starts ? '<w:vMerge w:val="restart"/>' : "";
        if (goesOn || starts) own[column] = width;
        const properties = `<w:tcPr><w:gridSpan w:val="${width}"/>${merge}</w:tcPr>`;
        const inside = goesOn
          ? "<w:p/>"
          : Array.from({ length: 1 + random(2) }, () => this.block(true)).join("") + "<w:p/>";
        cells += `<w:tc>${properties}${inside}</w:tc>`;
        column += width;
      }
      const isHead = row === 0 && random(3) === 0 ? "<w:tblHeader/>" : "";
      const shift = before === 1 ? '<w:gridBefore w:val="1"/><w:wBefore w:w="2000" w:type="dxa"/>' : "";
      return `<w:tr>${isHead || shift ? `<w:trPr>${shift}${isHead}</w:trPr>` : ""}${cells}</w:tr>`;
    });
    return `<w:tbl>${lines.join("")}</w:tbl><w:p>${run(words(random))}</w:p>`;
  }
}
