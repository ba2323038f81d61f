/** Writes the header and footer of the Word file, and the control block on its first page. */
import {
  BorderStyle,
  Footer,
  Header,
  PageNumber,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TabStopType,
  TextRun,
  WidthType,
  type IRunOptions,
  type ParagraphChild,
} from "docx";
import { TextWatermark } from "docx/watermarks";
import { cleanText } from "../../text/clean-text.ts";
import { controlBlockRows, documentVersionText, exportTexts, pageNumberWords, versionMarks } from "../document.ts";
import type { ExportDocument } from "../document.ts";
import { isTextRightToLeft } from "../direction.ts";
import { bidirectionalOptions } from "./place.ts";
import { withLeftToRightMarks, leftToRight, textRunsOf } from "./runs.ts";
import { colours } from "./styles.ts";
import { lineWidth } from "./table.ts";

const right = { tabStops: [{ type: TabStopType.RIGHT, position: lineWidth }] };
const rule = { style: BorderStyle.SINGLE, size: 6, color: colours.line, space: 4 };

export function docxHeaderOf(document: ExportDocument, rtl: boolean): Header {
  const label = exportTexts.states[document.state];
  const mark = versionMarks[document.state];
  const line = new Paragraph({
    ...right,
    ...bidirectionalOptions(rtl),
    border: { bottom: rule },
    children: [
      new TextRun({ text: document.number, bold: true, size: 17 }),
      ...runsOfFrameText(`   ${shortenedText(document.title, 70)}`, rtl, { size: 17, color: colours.muted }),
      new TextRun({ text: `\t${documentVersionText(document)}   `, size: 17, color: colours.muted }),
      new TextRun({ text: label.toUpperCase(), bold: true, size: 17, color: mark === null ? "14602F" : "8C1616" }),
    ],
  });
  if (mark === null) return new Header({ children: [line] });
  const text = (mark === "draft" ? exportTexts.states.draft : label).toUpperCase();
  const behind = new Paragraph({ children: [new TextWatermark({ text, color: "D9DDE4" })] });
  return new Header({ children: [line, behind] });
}

export function docxFooterOf({ company }: ExportDocument, rtl: boolean): Footer {
  const small = { size: 16, color: colours.muted };
  const mark = rtl ? leftToRight : "";
  const [before, between, after] = pageNumberWords();
  const page = [`\t${mark}${before}`, PageNumber.CURRENT, between, PageNumber.TOTAL_PAGES, after + mark];
  return new Footer({
    children: [
      new Paragraph({
        ...right,
        ...bidirectionalOptions(rtl),
        border: { top: rule },
        children: [
          new TextRun({ text: exportTexts.uncontrolled, ...small }),
          ...(company === null ? [] : runsOfFrameText(`   ·   ${company}`, rtl, small)),
          new TextRun({ children: page, ...small }),
        ],
      }),
    ],
  });
}

/** Returns the control block with identity and signatures, as a table of three pairs of name and value per row. */
export function controlBlockTable(document: ExportDocument, rtl: boolean): (Paragraph | Table)[] {
  const facts = controlBlockRows(document);
  const isWide = ([, value]: [string, string]) => value.length > 40 || value.includes("\n");
  const short = facts.filter((fact) => !isWide(fact));
  const rows = Array.from({ length: Math.ceil(short.length / 3) }, (_, row) => {
    const three = short.slice(row * 3, row * 3 + 3);
    return new TableRow({
      cantSplit: true,
      children: [0, 1, 2].map((at) => factCell(three[at], 1, rtl)),
    });
  });
  const wide = facts
    .filter(isWide)
    .map((fact) => new TableRow({ cantSplit: true, children: [factCell(fact, 3, rtl)] }));
  const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
  const table = new Table({
    rows: [...rows, ...wide],
    columnWidths: [1, 2, 3].map(() => Math.floor(lineWidth / 3)),
    width: { size: lineWidth, type: WidthType.DXA },
    layout: TableLayoutType.FIXED,
    ...(rtl && { visuallyRightToLeft: true }),
    borders: {
      top: { style: BorderStyle.SINGLE, size: 12, color: colours.deep },
      bottom: { style: BorderStyle.SINGLE, size: 6, color: colours.line },
      left: none,
      right: none,
      insideHorizontal: none,
      insideVertical: none,
    },
  });
  return [table, new Paragraph({ spacing: { after: 120 } })];
}

function factCell(fact: [string, string] | undefined, columns: number, rtl: boolean): TableCell {
  const [name = "", value = ""] = fact ?? [];
  const lines = cleanText(value)
    .split("\n")
    .map(
      (line) =>
        new Paragraph({ style: "ControlValue", ...bidirectionalOptions(rtl), children: runsOfFrameText(line, rtl) }),
    );
  return new TableCell({
    columnSpan: columns,
    shading: { fill: colours.sunken },
    margins: { top: 60, bottom: 20, left: 140, right: 100 },
    children: [
      new Paragraph({ style: "ControlName", ...bidirectionalOptions(rtl), children: [new TextRun(name)] }),
      ...lines,
    ],
  });
}

/**
 * Returns the runs of words around the document's text, such as names, with right-to-left runs if needed. @param rtl
 * true for a right-to-left document
 */
export function runsOfFrameText(text: string, rtl: boolean, look: IRunOptions = {}): ParagraphChild[] {
  if (isTextRightToLeft(text, rtl)) return textRunsOf(text, { ...look, rightToLeft: true });
  const runs = textRunsOf(text, look);
  return rtl ? withLeftToRightMarks(runs) : runs;
}

function shortenedText(text: string, most: number): string {
  const clean = cleanText(text);
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).trimEnd()}…`;
}
