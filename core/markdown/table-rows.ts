import type { Root, TableCell, TableRow } from "mdast";
import { eachNode } from "./each-node.ts";
import { plainText } from "./plain-text.ts";
import { sentences, type MessageWithId } from "../language/catalog.ts";

const texts = sentences("core.markdown.rows", {
  cut: "a pipe in code ends the cell: write it as `\\|`",
  counts:
    "the row has {cells, plural, one {{cells} cell} other {{cells} cells}} and the table {columns, plural, one {{columns} column} other {{columns} columns}}",
  hidden: '{counts}: "{words}" isn\'t shown',
});

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
      const cells = row.children.filter((cell) => !isAddedCell(cell)).length;
      const kind = cells > columns ? "long" : row.children.some(isCutCode) ? "cut" : cells < columns ? "short" : null;
      if (kind !== null) found.push({ row, kind, cells, columns, surplus: row.children.slice(columns) });
    }
  });
  return found;
}

/** Recognizes the cells that the parser adds to a short row: they contain no characters. */
function isAddedCell({ position }: TableCell): boolean {
  return position !== undefined && position.start.offset === position.end.offset;
}

/** Tells whether a cell contains the beginning or end of code that a pipe split: a backtick without a partner. */
export function isCutCode(cell: TableCell): boolean {
  return cell.children.some((node) => node.type === "text" && node.value.includes("`"));
}

/**
 * Returns notes on rows of which readers don't see all content as written, each with its line. Short rows get no note.
 */
export function rowNotes(tree: Root): { line: number; sentence: MessageWithId }[] {
  return oddRows(tree).flatMap((odd) =>
    odd.kind === "short" ? [] : [{ line: odd.row.position?.start.line ?? 1, sentence: rowSentence(odd, texts) }],
  );
}

/** Returns the sentence for the author about a row that doesn't fit its header. */
export function rowSentence(
  { kind, cells, columns, surplus }: OddRow,
  { cut, counts, hidden }: Pick<typeof texts, "cut" | "counts" | "hidden">,
): MessageWithId {
  if (kind === "cut") return cut();
  const counted = counts({ cells, columns });
  const words = kind === "short" ? [] : surplus.map((cell) => plainText(cell)).filter((one) => one !== "");
  return words.length === 0 ? counted : hidden({ counts: counted, words: shortenedText(words.join(" | ")) });
}

function shortenedText(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
