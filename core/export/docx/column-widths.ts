/** Computes the widths of a Word table's columns, in twips. Words are only broken if the page is too narrow. */
import { plainTextOfInlines, type ExportBlock, type ExportCell, type ExportTable } from "../blocks.ts";
import { listIndentStep } from "./numbering.ts";
import { sum } from "../column-shares.ts";

/** The space left and right of the text in a cell. */
export const cellMargin = 110;
/** Additional width for fonts with slightly wider letters, in twips. */
const slack = 40;
const leastColumn = 400;

interface ColumnNeed {
  /** The width for the longest word. */
  least: number;
  /** The width for the longest line in one piece. */
  most: number;
}

/**
 * Computes the widths of a table's columns. @param room the maximum width of the table @returns widths whose sum is the
 * table's width: as much as its text needs, at most `room`
 */
export function columnWidthsOf(table: ExportTable, room: number): number[] {
  const needs = columnNeedsOf(table);
  const most = needs.map((need) => need.most);
  if (sum(most) <= room) return most.map(Math.ceil);
  const least = narrowWidestColumns(
    needs.map((need) => need.least),
    room,
  );
  // the square root limits columns with very long text
  const extra = most.map((one, column) => Math.sqrt(Math.max(one - (least[column] ?? 0), 0)));
  const left = room - sum(least);
  return least.map((one, column) => Math.floor(one + (left * (extra[column] ?? 0)) / Math.max(sum(extra), 1)));
}

function columnNeedsOf(table: ExportTable): ColumnNeed[] {
  const needs: ColumnNeed[] = table.shares.map(() => ({ least: leastColumn, most: leastColumn }));
  const wide: { column: number; columns: number; need: ColumnNeed }[] = [];
  for (const { cell, column } of cellsWithColumns(table)) {
    const need = cellNeedOf(cell);
    const own = needs[column];
    if (cell.columns > 1) wide.push({ column, columns: cell.columns, need });
    else if (own !== undefined) {
      needs[column] = { least: Math.max(own.least, need.least), most: Math.max(own.most, need.most) };
    }
  }
  for (const { column, columns, need } of wide) {
    const covered = needs.slice(column, column + columns);
    for (const name of ["least", "most"] as const) {
      const missing = need[name] - sum(covered.map((one) => one[name]));
      if (missing > 0) for (const one of covered) one[name] += Math.ceil(missing / covered.length);
    }
  }
  return needs.map(({ least, most }) => ({ least, most: Math.max(least, most) }));
}

/** Returns the widths with the widest columns made narrower, if the longest words need more width than there is. */
function narrowWidestColumns(least: readonly number[], room: number): number[] {
  let [low, high] = [0, Math.max(...least)];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (sum(least.map((one) => Math.min(one, middle))) > room) high = middle;
    else low = middle;
  }
  return sum(least) <= room ? [...least] : least.map((one) => Math.floor(Math.min(one, low)));
}

/** Returns the cells with their first columns, taking into account cells that span several rows or columns. */
export function cellsWithColumns({ rows, shares }: ExportTable): { cell: ExportCell; column: number }[] {
  const free = shares.map(() => 0);
  return rows.flatMap(({ cells }, row) => {
    let column = 0;
    return cells.map((cell) => {
      while ((free[column] ?? 0) > row) column += 1;
      const place = { cell, column };
      free.fill(row + cell.rows, column, column + cell.columns);
      column += cell.columns;
      return place;
    });
  });
}

function cellNeedOf(cell: ExportCell): ColumnNeed {
  const { least, most } = needOfBlocks(cell.children, cell.header ? 1.12 : 1);
  const around = 2 * cellMargin + slack;
  return { least: least + around, most: most + around };
}

function needOfBlocks(blocks: readonly ExportBlock[], bold: number): ColumnNeed {
  const need: ColumnNeed = { least: 0, most: 0 };
  const addText = (text: string, indent: number, weight: number): void => {
    for (const line of text.split("\n")) need.most = Math.max(need.most, indent + approximateTextWidth(line) * weight);
    // Word can break a line after a hyphen
    for (const word of text.split(/\s+|(?<=[\p{L}\p{N}]-)(?=[\p{L}\p{N}])/u))
      need.least = Math.max(need.least, indent + approximateTextWidth(word) * weight);
  };
  const addBlocks = (all: readonly ExportBlock[], indent: number): void => {
    for (const block of all) {
      if (block.type === "paragraph" || block.type === "caption")
        addText(plainTextOfInlines(block.children), indent, bold);
      else if (block.type === "heading") addText(plainTextOfInlines(block.children), indent, 1.3);
      else if (block.type === "code") addText(block.text, indent, 1.1);
      else if (block.type === "list") for (const item of block.items) addBlocks(item.children, indent + listIndentStep);
      else if (block.type === "table") {
        const inner = columnNeedsOf(block);
        need.least = Math.max(need.least, indent + sum(inner.map(({ least }) => least)));
        need.most = Math.max(need.most, indent + sum(inner.map(({ most }) => most)));
      } else if (block.type !== "rule") {
        if (block.type === "details") addText(plainTextOfInlines(block.summary), indent, 1.12);
        addBlocks(block.children, indent + listIndentStep);
      }
    }
  };
  addBlocks(blocks, 0);
  return need;
}

/** Estimates the width of text of 9.5 points in a wide font, because a machine without Calibri uses another font. */
function approximateTextWidth(text: string): number {
  let length = 0;
  for (const letter of text) {
    if (/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60\u{1f000}-\u{3ffff}]/u.test(letter))
      length += 200;
    else if (/[mwMW@%]/.test(letter)) length += 185;
    else if (/\p{Lu}/u.test(letter)) length += 140;
    else if (/[iljt.,:;'|!()[\] ]/.test(letter)) length += 70;
    else if (!/\p{M}/u.test(letter)) length += 120;
  }
  return length;
}
