import type { Root, TableCell, TableRow } from "mdast";
import { eachNode } from "./each-node.ts";
import { plainText } from "./plain-text.ts";

/** A table row that doesn't fit the header. */
export interface OddRow {
  row: TableRow;
  /**
   * `long` and `short` rows have more or fewer cells than the header; a `cut` row has code that a pipe splits into two
   * cells.
   */
  kind: "long" | "short" | "cut";
  cells: number;
  /** The number of cells in the header. */
  columns: number;
  /** Cells beyond the header, which no view shows. */
  surplus: TableCell[];
}

/** Rows of tables that don't fit their header, in the order of the text. */
export function oddRows(tree: Root): OddRow[] {
  const found: OddRow[] = [];
  eachNode(tree, (node) => {
    if (node.type !== "table") return;
    const columns = node.children[0]?.children.length ?? 0;
    for (const row of node.children) {
      const cells = row.children.filter((cell) => !isAdded(cell)).length;
      const kind = cells > columns ? "long" : row.children.some(isCutCode) ? "cut" : cells < columns ? "short" : null;
      if (kind !== null) found.push({ row, kind, cells, columns, surplus: row.children.slice(columns) });
    }
  });
  return found;
}

/** Recognizes the cells that the parser adds to a short row: they contain no characters. */
function isAdded({ position }: TableCell): boolean {
  return position !== undefined && position.start.offset === position.end.offset;
}

/** Tells whether a cell contains the beginning or end of code that a pipe split: a backtick without a partner. */
export function isCutCode(cell: TableCell): boolean {
  return cell.children.some((node) => node.type === "text" && node.value.includes("`"));
}

/**
 * Notes on rows with content that readers don't see, or see as something else, each with its line. Short rows lose
 * nothing.
 */
export function rowNotes(tree: Root): { line: number; message: string }[] {
  return oddRows(tree).flatMap((odd) =>
    odd.kind === "short" ? [] : [{ line: odd.row.position?.start.line ?? 1, message: rowMessage(odd) }],
  );
}

/** The note for the author about a row. */
export function rowMessage({ kind, cells, columns, surplus }: OddRow): string {
  if (kind === "cut") return "a pipe in code ends the cell: write it as `\\|`";
  const counts = `the row has ${countAndNoun(cells, "cell")} and the table ${countAndNoun(columns, "column")}`;
  if (kind === "short") return counts;
  const words = surplus.map((cell) => plainText(cell)).filter((one) => one !== "");
  return words.length === 0 ? counts : `${counts}: "${shortenedText(words.join(" | "))}" isn't shown`;
}

function countAndNoun(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}

function shortenedText(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
