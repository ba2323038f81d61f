import { AlignmentType, BorderStyle, Paragraph, Table, TableCell, TableLayoutType, TableRow, WidthType } from "docx";
import { AppError } from "../../errors.ts";
import type { ExportBlock, ExportCell, ExportTable as TableBlock } from "../blocks.ts";
import { cellMargin, columnWidthsOf, cellsWithColumns } from "./column-widths.ts";
import type { DocxBlock, DocxPlace } from "./place.ts";
import { colours } from "./styles.ts";
import { sentences } from "../../language/catalog.ts";

const refusals = sentences("core.export.docx.refusals", {
  wideTable:
    "The document can't be a Word file: a table has {count} columns, and Word opens {mostColumns}. Split it, or export the document as HTML",
});

/** The width between the margins of an A4 page, in twips. */
export const lineWidth = 9_298;

/** Word allows at most this many columns. */
const mostColumns = 63;

/** Writes the blocks inside a cell. */
type SetBlocks = (blocks: readonly ExportBlock[], place: DocxPlace) => DocxBlock[];

/** Writes a table. @throws AppError `unprocessable` for a table with too many columns */
export function docxTableOf(table: TableBlock, place: DocxPlace, set: SetBlocks): DocxBlock[] {
  const count = table.shares.length;
  if (count > mostColumns) {
    throw new AppError("unprocessable", refusals.wideTable({ count, mostColumns }));
  }
  const rtl = place.frame.bidirectional === true;
  const widths = columnWidthsOf(table, (place.width ?? lineWidth) - place.indent);
  const width = widths.reduce((total, one) => total + one, 0);
  const places = new Map(cellsWithColumns(table).map(({ cell, column }) => [cell, column]));
  const textWidthOf = (cell: ExportCell): number => {
    const column = places.get(cell) ?? 0;
    const own = widths.slice(column, column + cell.columns);
    return own.reduce((total, one) => total + one, 0) - 2 * cellMargin;
  };
  const rows = table.rows.map(
    ({ cells, tall }, index) =>
      new TableRow({
        ...(index < table.headRows && { tableHeader: true }),
        ...(!tall && { cantSplit: true }),
        children: cells.map((cell) => tableCellOf(cell, index < table.headRows, rtl, set, textWidthOf(cell))),
      }),
  );
  const rule = { style: BorderStyle.SINGLE, size: 4, color: colours.line };
  const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
  const printed = new Table({
    rows,
    columnWidths: widths,
    ...(rtl && { visuallyRightToLeft: true }),
    width: { size: width, type: WidthType.DXA },
    layout: TableLayoutType.FIXED,
    ...(place.indent > 0 && { indent: { size: place.indent, type: WidthType.DXA } }),
    borders: { top: rule, bottom: rule, insideHorizontal: rule, left: none, right: none, insideVertical: none },
  });
  // add a paragraph, because Word joins two tables without one between them
  return [printed, new Paragraph({ spacing: { after: 60, line: 120 } })];
}

const alignments = { left: AlignmentType.LEFT, center: AlignmentType.CENTER, right: AlignmentType.RIGHT };
/** Alignments for right-to-left paragraphs, where Word swaps left and right. */
const mirrored = { left: AlignmentType.END, center: AlignmentType.CENTER, right: AlignmentType.START };

function tableCellOf(cell: ExportCell, inHead: boolean, rtl: boolean, set: SetBlocks, width: number): TableCell {
  // use a style for bold header cells, because an import would read bold runs as emphasis
  const style = cell.header ? "TableHead" : "TableText";
  const alignment = cell.align === null ? {} : { alignment: (rtl ? mirrored : alignments)[cell.align] };
  const frame = { style, ...alignment, ...(rtl && { bidirectional: true }) };
  const children = set(cell.children, { indent: 0, lists: 0, frame, width });
  return new TableCell({
    children: children.at(-1) instanceof Paragraph ? children : [...children, new Paragraph({ style: "TableText" })],
    margins: { top: 50, bottom: 50, left: cellMargin, right: cellMargin },
    ...(cell.columns > 1 && { columnSpan: cell.columns }),
    ...(cell.rows > 1 && { rowSpan: cell.rows }),
    ...((inHead || cell.header) && { shading: { fill: inHead ? "E9EEF5" : colours.sunken } }),
  });
}
