import type { Element, ElementContent } from "hast";
import type { Block, Cell, Table } from "./blocks.ts";
import { columnShares, isNarrow, isTall } from "./column-shares.ts";
import type { Reader } from "./reader.ts";

/** Rows and columns that a span may claim: beyond that it is a mistake or an attack. */
const longestSpan = 50;

/** A caption comes as a paragraph before its table; a table without cells as nothing. */
export function readTable(node: Element, reader: Reader): Block[] {
  const caption = children(node, "caption").flatMap((one) => reader.blocks(one.children));
  const [head] = children(node, "thead");
  const [foot] = children(node, "tfoot");
  // as browsers show them: a second head is a part like any other
  const others = children(node, "thead", "tbody", "tfoot").filter((part) => part !== head && part !== foot);
  const parts = [
    head ? children(head, "tr") : [],
    ...others.map((part) => children(part, "tr")),
    foot ? children(foot, "tr") : [],
  ];
  const rows = parts.flat().map((row) => cellsOf(row, reader));
  const filled = rows.filter((row) => row.length > 0);
  if (filled.length === 0) return caption;
  const table = fitted(filled, headRowsOf(parts[0]?.length ?? 0, filled));
  return [...caption, table];
}

function cellsOf(row: Element, reader: Reader): Cell[] {
  return row.children
    .filter((node): node is Element => node.type === "element" && /^t[hd]$/.test(node.tagName))
    .map((node) => ({
      header: node.tagName === "th",
      align: alignOf(node),
      columns: spanOf(node, "colSpan"),
      rows: spanOf(node, "rowSpan"),
      children: reader.blocks(node.children),
    }));
}

function alignOf(node: Element): Cell["align"] {
  const { align } = node.properties;
  return align === "left" || align === "center" || align === "right" ? align : null;
}

function spanOf(node: Element, name: "colSpan" | "rowSpan"): number {
  const span = Number(node.properties[name] ?? 1);
  return Number.isInteger(span) ? Math.min(Math.max(span, 1), longestSpan) : 1;
}

/** Without a `thead`, first rows of nothing but header cells are one. A table of heads alone has none. */
function headRowsOf(inHead: number, rows: readonly Cell[][]): number {
  const first = rows.findIndex((row) => !row.every(({ header }) => header));
  return Math.min(inHead > 0 ? inHead : Math.max(first, 0), rows.length - 1);
}

/**
 * Gives every place of the grid one cell: spans end at the table's edge, gaps are filled, and overlapping cells move
 * on.
 */
function fitted(rows: readonly Cell[][], headRows: number): Table {
  const taken: boolean[][] = rows.map(() => []);
  const placed = rows.map((cells, row) => {
    let column = 0;
    return cells.map((cell) => {
      while (taken[row]?.[column]) column += 1;
      let columns = 1;
      while (columns < cell.columns && !taken[row]?.[column + columns]) columns += 1;
      const end = row < headRows ? headRows : rows.length;
      const spanned = Math.min(cell.rows, end - row);
      for (let y = row; y < row + spanned; y += 1) {
        for (let x = column; x < column + columns; x += 1) (taken[y] as boolean[])[x] = true;
      }
      return { cell: { ...cell, columns, rows: spanned }, column };
    });
  });
  const width = Math.max(...taken.map((row) => row.length));
  const grid = placed.map((cells, row) => {
    const gaps = Array.from({ length: width }, (_, column) => column).filter((column) => !taken[row]?.[column]);
    const filler = gaps.map((column) => ({ cell: emptyCell(row < headRows), column }));
    return [...cells, ...filler].sort((one, other) => one.column - other.column);
  });
  const shares = columnShares(grid, width);
  const set = grid.map((row) => ({ tall: isTall(row, shares), cells: row.map(({ cell }) => cell) }));
  return { type: "table", shares, narrow: isNarrow(grid, width), headRows, rows: set };
}

function emptyCell(header: boolean): Cell {
  return { header, align: null, columns: 1, rows: 1, children: [] };
}

function children(node: Element, ...names: string[]): Element[] {
  return (node.children as ElementContent[]).filter(
    (child): child is Element => child.type === "element" && names.includes(child.tagName),
  );
}
