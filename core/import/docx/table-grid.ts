import type { Noted } from "./noted.ts";
import type { StyleBook } from "./styles.ts";
import { child, isOn, isXml, make, valueOf, within, xmlText, type XmlElement, type XmlNode } from "./xml-tree.ts";

interface Cell {
  element: XmlElement;
  column: number;
  columns: number;
  merge: "restart" | "continue" | undefined;
  /** True for a cell that fills a place which the file leaves out. */
  isFiller: boolean;
}

interface Row {
  element: XmlElement;
  cells: Cell[];
  width: number;
}

/** Row edges that differ by less than this, in twips, count as aligned. */
const hairline = 150;
/** A merged cell can extend the header up to this row. */
const mostHeaderRows = 3;

/**
 * Completes the grid of tables: shorter rows get empty cells, cells merge only with cells of the same columns, and
 * columns have the order that readers see.
 * @param fromRight true for a right-to-left document; tables of the other direction are mirrored. Undefined: no table
 *   is
 */
export function fillGrids(root: XmlElement, styles: StyleBook, fromRight: boolean | undefined, noted: Noted): void {
  for (const table of within(root, ["w:tbl"])) {
    const rows = rowsOf(table, noted).map((row) => readRow(row, noted));
    const properties = child(table, "w:tblPr");
    const visual = properties && child(properties, "w:bidiVisual");
    const own = visual === undefined ? undefined : isOn(visual);
    const isTurned =
      fromRight !== undefined &&
      (own ?? styles.isTableFromRight(valueOf(properties && child(properties, "w:tblStyle")))) !== fromRight;
    checkMerges(rows, noted);
    keepMergesInHeader(rows);
    const width = Math.max(0, ...rows.map((row) => row.width));
    if (isTurned) for (const row of rows) addFiller(row, width - row.width);
    narrow(rows);
    for (const row of rows) {
      const elements = row.cells.flatMap(({ element, isFiller, columns }) =>
        isFiller ? Array.from({ length: columns }, emptyCell) : [element],
      );
      if (isTurned) elements.reverse();
      const before = row.element.children.filter((node) => isXml(node, "w:trPr", "w:tblPrEx"));
      row.element.children = [...before, ...elements];
    }
    const before = table.children.filter((node) => isXml(node, "w:tblPr", "w:tblGrid"));
    table.children = [...before, ...rows.map(({ element }) => element)];
  }
}

const closed = new Set(["w:tbl", "w:tr", "w:tc", "w:p"]);

/**
 * The child elements with this name, also inside controls and tracked changes. Bookmarks between them move into the
 * next one.
 */
function opened(parent: XmlElement, name: string): XmlElement[] {
  const marks: XmlElement[] = [];
  const read = (nodes: readonly XmlNode[]): XmlElement[] =>
    nodes.flatMap((node) => {
      if (!isXml(node)) return [];
      if (node.name === name) {
        const [line] = marks.length === 0 ? [] : within(node, ["w:p"]);
        if (line !== undefined) {
          const at = isXml(line.children[0], "w:pPr") ? 1 : 0;
          line.children.splice(at, 0, ...marks.splice(0));
        }
        return [node];
      }
      if (node.name === "w:bookmarkStart") marks.push(node);
      return closed.has(node.name) || node.name === "w:del" || node.name === "w:moveFrom" ? [] : read(node.children);
    });
  return read(parent.children);
}

function rowsOf(table: XmlElement, noted: Noted): XmlElement[] {
  return opened(table, "w:tr").filter((row) => {
    const properties = child(row, "w:trPr");
    if (properties === undefined) return true;
    if (child(properties, "w:del") !== undefined) return false;
    const hidden = child(properties, "w:hidden");
    if (hidden === undefined || !isOn(hidden)) return true;
    if (wordsOf(row).trim() !== "") noted.hidden.push(wordsOf(row));
    return false;
  });
}

function readRow(element: XmlElement, noted: Noted): Row {
  const properties = child(element, "w:trPr");
  const count = (name: string) => Number(valueOf(properties && child(properties, name)) ?? 0) || 0;
  const space = (name: string) => Number(valueOf(properties && child(properties, name), "w:w") ?? hairline);
  const cells: Cell[] = [];
  const row: Row = { element, cells, width: 0 };
  const before = Math.min(count("w:gridBefore"), 63);
  const isShifted = before > 0 && space("w:wBefore") >= hairline;
  if (isShifted) addFiller(row, before);
  let more = isShifted ? 0 : before;
  for (const cell of opened(element, "w:tc")) {
    const own = child(cell, "w:tcPr");
    const columns = Math.max(1, Number(valueOf(own && child(own, "w:gridSpan")) ?? 1) || 1) + more;
    more = 0;
    const across = own && child(own, "w:hMerge");
    const last = cells.at(-1);
    if (across !== undefined && valueOf(across) !== "restart" && last !== undefined) {
      last.columns += columns;
      row.width += columns;
      if (wordsOf(cell).trim() !== "") noted.covered.push(wordsOf(cell));
      continue;
    }
    const down = own && child(own, "w:vMerge");
    const merge = down === undefined ? undefined : valueOf(down) === "restart" ? "restart" : "continue";
    cells.push({ element: cell, column: row.width, columns, merge, isFiller: false });
    row.width += columns;
  }
  const after = Math.min(count("w:gridAfter"), 63);
  const last = cells.at(-1);
  if (after > 0 && space("w:wAfter") >= hairline) addFiller(row, after);
  else if (last !== undefined) {
    last.columns += after;
    row.width += after;
  }
  return row;
}

function addFiller(row: Row, columns: number): void {
  if (columns === 0) return;
  row.cells.push({ element: emptyCell(), column: row.width, columns, merge: undefined, isFiller: true });
  row.width += columns;
}

function emptyCell(): XmlElement {
  return make("w:tc", "", [make("w:p")]);
}

/** Removes columns in which no cell begins or ends. Word makes a column for each cell edge of each row. */
function narrow(rows: readonly Row[]): void {
  const edges = new Set(
    rows.flatMap(({ cells }) => cells.flatMap(({ column, columns }) => [column, column + columns])),
  );
  const places = new Map([...edges].sort((one, other) => one - other).map((edge, place) => [edge, place]));
  for (const cell of rows.flatMap(({ cells }) => cells)) {
    cell.columns = (places.get(cell.column + cell.columns) ?? 0) - (places.get(cell.column) ?? 0);
    setProperty(cell.element, make("w:gridSpan", `w:val="${cell.columns}"`));
  }
}

function setProperty(cell: XmlElement, property: XmlElement): void {
  const own = child(cell, "w:tcPr");
  if (own === undefined) cell.children.unshift(make("w:tcPr", "", [property]));
  else own.children = [property, ...own.children.filter((node) => !isXml(node, property.name))];
}

/** Lets a cell without a matching cell above begin by itself, as Word shows it. */
function checkMerges(rows: readonly Row[], noted: Noted): void {
  for (const [index, { cells }] of rows.entries()) {
    for (const cell of cells) {
      if (cell.merge !== "continue") continue;
      const above = rows[index - 1]?.cells.find(({ column }) => column === cell.column);
      if (above !== undefined && above.columns === cell.columns && above.merge !== undefined) {
        if (wordsOf(cell.element).trim() !== "") noted.covered.push(wordsOf(cell.element));
        continue;
      }
      restart(cell);
    }
  }
}

function restart(cell: Cell): void {
  cell.merge = "restart";
  setProperty(cell.element, make("w:vMerge", 'w:val="restart"'));
}

/** Browsers end a merged cell at the end of the header. So its rows become header rows, or the cell is split there. */
function keepMergesInHeader(rows: readonly Row[]): void {
  const isHead = ({ element }: Row): boolean => {
    const properties = child(element, "w:trPr");
    const mark = properties && child(properties, "w:tblHeader");
    return mark !== undefined && isOn(mark);
  };
  const first = rows.findIndex((row) => !isHead(row));
  if (first <= 0) return;
  let end = first;
  while (end < rows.length && rows[end]?.cells.some(({ merge }) => merge === "continue") === true) end += 1;
  if (end === first) return;
  if (end <= mostHeaderRows && end < rows.length) {
    for (const { element } of rows.slice(first, end)) {
      const properties = child(element, "w:trPr");
      if (properties === undefined) element.children.unshift(make("w:trPr", "", [make("w:tblHeader")]));
      else properties.children.push(make("w:tblHeader"));
    }
  } else for (const cell of rows[first]?.cells ?? []) if (cell.merge === "continue") restart(cell);
}

function wordsOf(element: XmlElement): string {
  return within(element, ["w:t"]).map(xmlText).join(" ");
}
