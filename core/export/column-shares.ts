/** Computes the widths of a table's columns: by the length of their text, without cutting words if possible. */
import { plainTextOfInlines, type ExportBlock, type ExportCell } from "./blocks.ts";

/** A cell and the first of its columns. */
export interface CellInColumn {
  cell: ExportCell;
  column: number;
}

/** Matches letters that are twice as wide as others. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff00-\uffef]/gu;
/** The approximate number of characters on a line of the page. */
const line = 92;
/** The maximum length of a word that is never broken, in letters. */
const longestKept = 22;
/** The width of the indent of lists and boxes, in characters. */
const indent = 5;
/** The space left and right of a cell, in characters. */
const padding = 3;

/**
 * Returns each column's share of the width (the shares add up to 1), and the number of letters on a line at which no
 * long word breaks.
 */
export function columnSharesOf(
  rows: readonly (readonly CellInColumn[])[],
  width: number,
): { shares: number[]; letters: number } {
  const { least, most } = measureColumns(rows, width);
  const needed = sum(least);
  const letters = Math.ceil(needed);
  if (needed >= line) return { shares: least.map((one) => one / needed), letters };
  // share the remaining width by the length of text; the square root limits columns with very long text
  const extra = most.map((one, column) => Math.sqrt(Math.max(one - (least[column] ?? 0), 0)));
  const extraTotal = sum(extra);
  const shares = least.map((one, column) => {
    const more = extraTotal === 0 ? one / needed : (extra[column] ?? 0) / extraTotal;
    return (one + (line - needed) * more) / line;
  });
  return { shares: shares.map((share) => Math.round(share * 10_000) / 10_000), letters };
}

/** Tells whether the longest lines of all columns together fit on half a line of the page. */
export function fitsHalfLine(rows: readonly (readonly CellInColumn[])[], width: number): boolean {
  return sum(measureColumns(rows, width).most) < line * 0.5;
}

/** Tells whether a row would take more than about twelve lines. */
export function isTallRow(cells: readonly CellInColumn[], shares: readonly number[]): boolean {
  return cells.some(({ cell, column }) => {
    const share = sum(shares.slice(column, column + cell.columns));
    const text = blocksText(cell.children);
    const length = text.length + (text.match(wide)?.length ?? 0);
    return text.split("\n").length + length / (share * line) > 12;
  });
}

function measureColumns(
  rows: readonly (readonly CellInColumn[])[],
  width: number,
): { least: number[]; most: number[] } {
  const least: number[] = Array.from({ length: width }, () => 3 + padding);
  const most = [...least];
  for (const { cell, column } of rows.flat()) {
    if (cell.columns > 1) continue;
    const text = blocksText(cell.children);
    const bold = cell.header ? 1.1 : 1;
    const widest = Math.max(0, ...text.split("\n").map((one) => one.length));
    least[column] = Math.max(least[column] ?? 0, unbrokenWidthOf(cell.children) * bold + padding);
    most[column] = Math.max(most[column] ?? 0, widest * bold + padding);
  }
  return { least, most };
}

/** Returns an upper limit for the width of the widest word, in multiples of the font size. */
export function widestWord(blocks: readonly ExportBlock[]): number {
  const widths = blocksText(blocks)
    .split(/\s+/)
    .map((word) => [...word].reduce((width, letter) => width + letterWidth(letter), 0));
  return widths.reduce((most, one) => Math.max(most, one), 0);
}

/**
 * Returns the width of a letter in Noto Sans in multiples of the font size, rounded up so that it fits bold letters
 * too.
 */
function letterWidth(letter: string): number {
  if (/[-!'(),./:;I[\]fijlrt|]/.test(letter)) return 0.55;
  if (/\d/.test(letter)) return 0.58;
  if (/[abcdeghknopqsuvxyz_]/.test(letter)) return 0.68;
  return /[A-LN-VX-Z]/.test(letter) ? 0.85 : 1;
}

/** Returns the number of letters that a line needs so that no word of up to 22 letters breaks. */
function unbrokenWidthOf(blocks: readonly ExportBlock[]): number {
  const all = blocks.map((block) => {
    if (block.type === "list")
      return indent + Math.max(0, ...block.items.map(({ children }) => unbrokenWidthOf(children)));
    if (block.type === "quote" || block.type === "alert" || block.type === "details") {
      return indent + unbrokenWidthOf(block.children);
    }
    if (block.type === "table") return Math.min(block.letters, line / 2);
    const words = blocksText([block]).split(/[\s/-]+/);
    return words.reduce((most, word) => Math.min(Math.max(most, word.length), longestKept), 0);
  });
  return Math.max(0, ...all);
}

function blocksText(blocks: readonly ExportBlock[]): string {
  return blocks
    .map((block) => {
      if (block.type === "paragraph" || block.type === "heading" || block.type === "caption")
        return plainTextOfInlines(block.children);
      if (block.type === "list") return block.items.map((item) => blocksText(item.children)).join("\n");
      if (block.type === "code") return block.text;
      if (block.type === "table")
        return block.rows.flatMap(({ cells }) => cells.map((cell) => blocksText(cell.children))).join(" ");
      if (block.type === "details") return `${plainTextOfInlines(block.summary)}\n${blocksText(block.children)}`;
      return "children" in block ? blocksText(block.children) : "";
    })
    .join("\n");
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
