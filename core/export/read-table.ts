import type { Element, ElementContent } from "hast";
import type { ExportBlock, ExportCell, ExportTable } from "./blocks.ts";
import { columnSharesOf, fitsHalfLine, isTallRow, widestWord, type CellInColumn } from "./column-shares.ts";
import type { HtmlBlockReader } from "./reader.ts";

/** The maximum number of columns and rows that a cell can span, as in HTML. */
const mostColumns = 1_000;
const mostRows = 65_534;
/** The maximum number of header rows that repeat on each page, unless a `thead` has more. */
const longestHead = 4;

/** Reads a table. Its caption becomes a paragraph before the table; a table without cells is left out. */
export function readHtmlTable(node: Element, reader: HtmlBlockReader): ExportBlock[] {
  const caption = childrenNamed(node, "caption").flatMap((one) => reader.blocks(one.children));
  const [head] = childrenNamed(node, "thead");
  const [foot] = childrenNamed(node, "tfoot");
  // as in browsers, a second `thead` is an ordinary part of the table
  const others = childrenNamed(node, "thead", "tbody", "tfoot").filter((part) => part !== head && part !== foot);
  const parts = [head, ...others, foot].filter((part) => part !== undefined);
  const rows = parts.flatMap((part) =>
    assignColumns(childrenNamed(part, "tr").map((row) => readCellsOfRow(row, reader))),
  );
  const filled = withoutEmptyColumns(withoutEmptyRows(rows));
  if (filled.length === 0) return caption;
  const inHead = head === undefined ? 0 : withoutEmptyRows(rows.slice(0, childrenNamed(head, "tr").length)).length;
  return [...caption, tableWithoutGaps(filled, inHead)];
}

function readCellsOfRow(row: Element, reader: HtmlBlockReader): ExportCell[] {
  return row.children
    .filter((node): node is Element => node.type === "element" && /^t[hd]$/.test(node.tagName))
    .map((node) => readCell(node, reader.blocks(node.children)));
}

function readCell(node: Element, content: ExportBlock[]): ExportCell {
  return {
    header: node.tagName === "th",
    align: cellAlignmentOf(node),
    column: 0,
    columns: Math.max(cellSpanOf(node, "colSpan", mostColumns), 1),
    rows: cellSpanOf(node, "rowSpan", mostRows),
    widest: widestWord(content),
    children: content,
  };
}

function cellAlignmentOf(node: Element): ExportCell["align"] {
  const { align } = node.properties;
  return align === "left" || align === "center" || align === "right" ? align : null;
}

function cellSpanOf(node: Element, name: "colSpan" | "rowSpan", most: number): number {
  const span = Number(node.properties[name] ?? 1);
  return Number.isInteger(span) && span >= 0 ? Math.min(span, most) : 1;
}

/**
 * Assigns columns to the cells of one section of a table (`thead`, `tbody`, `tfoot`), like browsers. A row span ends at
 * the end of its section; a row span of 0 covers all rows to that end. If two cells cover one position, the earlier one
 * gets it.
 */
function assignColumns(rows: readonly ExportCell[][]): CellInColumn[][] {
  /** For each column, the first row that no cell from above covers. */
  const free: number[] = [];
  const isTaken = (column: number, row: number) => (free[column] ?? 0) > row;
  return rows.map((cells, row) => {
    let next = 0;
    return cells.map((cell) => {
      while (isTaken(next, row)) next += 1;
      const column = next;
      const wanted = Math.max(Math.min(cell.columns, mostColumns - column), 1);
      let columns = 1;
      while (columns < wanted && !isTaken(column + columns, row)) columns += 1;
      const left = rows.length - row;
      const spanned = cell.rows === 0 ? left : Math.min(cell.rows, left);
      for (let x = column; x < column + wanted; x += 1) free[x] = Math.max(free[x] ?? 0, row + spanned);
      next += wanted;
      return { cell: { ...cell, columns, rows: spanned }, column };
    });
  });
}

/**
 * Removes rows in which no cell begins, because they have no height on screens. Cells that span such a row become
 * shorter.
 */
function withoutEmptyRows(rows: readonly CellInColumn[][]): CellInColumn[][] {
  const before = [0];
  for (const [row, cells] of rows.entries()) before.push((before[row] ?? 0) + (cells.length > 0 ? 1 : 0));
  return rows.flatMap((cells, row) => {
    if (cells.length === 0) return [];
    const withRemainingRowSpan = ({ cell, column }: CellInColumn): CellInColumn => {
      const rowsLeft = (before[row + cell.rows] ?? 0) - (before[row] ?? 0);
      return { cell: { ...cell, rows: rowsLeft }, column };
    };
    return [cells.map(withRemainingRowSpan)];
  });
}

/** Removes columns in which no cell begins, because they have no width on screens. */
function withoutEmptyColumns(rows: readonly CellInColumn[][]): CellInColumn[][] {
  const begins = new Set(rows.flat().map(({ column }) => column));
  const kept = [...begins].sort((one, other) => one - other);
  const places = new Map(kept.map((column, place) => [column, place]));
  return rows.map((cells) =>
    cells.map(({ cell, column }) => {
      const place = places.get(column) ?? 0;
      let columns = 1;
      while ((kept[place + columns] ?? Infinity) < column + cell.columns) columns += 1;
      return { cell: { ...cell, columns }, column: place };
    }),
  );
}

/** Returns a table with empty cells at positions of the grid that no cell covers. */
function tableWithoutGaps(rows: readonly CellInColumn[][], inHead: number): ExportTable {
  const width = Math.max(...rows.flat().map(({ cell, column }) => column + cell.columns));
  const headRows = headRowsOf(rows, inHead);
  const free: number[] = Array.from({ length: width }, () => 0);
  const grid = rows.map((cells, row) => {
    for (const { cell, column } of cells) free.fill(row + cell.rows, column, column + cell.columns);
    const gaps = free.flatMap((below, column) => (below <= row ? [column] : []));
    const filler = gaps.map((column) => ({ cell: emptyCell(row < headRows), column }));
    return [...cells, ...filler].sort((one, other) => one.column - other.column);
  });
  const { shares, letters } = columnSharesOf(grid, width);
  const set = grid.map((row) => ({
    tall: isTallRow(row, shares),
    cells: row.map(({ cell, column }) => ({ ...cell, column })),
  }));
  return { type: "table", shares, letters, narrow: fitsHalfLine(grid, width), headRows, rows: set };
}

/**
 * Returns the number of header rows. Without a `thead`, these are the first rows with only header cells, and the rows
 * that these cells span. A table of header cells alone has no header rows.
 */
function headRowsOf(rows: readonly CellInColumn[][], inHead: number): number {
  if (inHead > 0) return inHead < rows.length ? inHead : 0;
  const first = rows.findIndex((row) => !row.every(({ cell }) => cell.header));
  let reach = Math.max(first, 0);
  for (let row = 0; row < reach; row += 1) {
    for (const { cell } of rows[row] ?? []) reach = Math.max(reach, row + cell.rows);
  }
  const isHead = reach < rows.length && (reach === first || reach <= longestHead);
  return isHead ? reach : 0;
}

function emptyCell(header: boolean): ExportCell {
  return { header, align: null, column: 0, columns: 1, rows: 1, widest: 0, children: [] };
}

function childrenNamed(node: Element, ...names: string[]): Element[] {
  return (node.children as ElementContent[]).filter(
    (child): child is Element => child.type === "element" && names.includes(child.tagName),
  );
}
