import type { DocxLosses } from "./noted.ts";
import type { StyleBook } from "./styles.ts";
import {
  childElement,
  isPropertyOn,
  isXmlElement,
  createXmlElement,
  attributeValueOf,
  descendantElements,
  xmlText,
  type XmlElement,
  type XmlNode,
} from "./xml-tree.ts";

interface GridCell {
  element: XmlElement;
  column: number;
  columns: number;
  merge: "restart" | "continue" | undefined;
  /** True for an added cell at a position that the file leaves out. */
  isFiller: boolean;
}

interface GridRow {
  element: XmlElement;
  cells: GridCell[];
  width: number;
}

/** The maximum difference, in twips, of cell edges that count as aligned. */
const hairline = 150;
/** The maximum number of header rows to which a merged cell can extend the header. */
const mostHeaderRows = 3;

/**
 * Completes tables: shorter rows get empty cells, cells are merged only with cells of the same columns, and columns get
 * the order that readers see.
 * @param fromRight true for a right-to-left document, whose tables of the other direction are mirrored; undefined
 *   mirrors no table
 */
export function completeTables(
  root: XmlElement,
  styles: StyleBook,
  fromRight: boolean | undefined,
  noted: DocxLosses,
): void {
  for (const table of descendantElements(root, ["w:tbl"])) {
    const rows = visibleTableRowsOf(table, noted).map((row) => gridRowOf(row, noted));
    const properties = childElement(table, "w:tblPr");
    const visual = properties && childElement(properties, "w:bidiVisual");
    const own = visual === undefined ? undefined : isPropertyOn(visual);
    const isTurned =
      fromRight !== undefined &&
      (own ?? styles.isTableFromRight(attributeValueOf(properties && childElement(properties, "w:tblStyle")))) !==
        fromRight;
    endUnmatchedMerges(rows, noted);
    preventMergesAcrossHeader(rows);
    const width = Math.max(0, ...rows.map((row) => row.width));
    if (isTurned) for (const row of rows) addFillerCells(row, width - row.width);
    removeUnusedColumns(rows);
    for (const row of rows) {
      const elements = row.cells.flatMap(({ element, isFiller, columns }) =>
        isFiller ? Array.from({ length: columns }, emptyCell) : [element],
      );
      if (isTurned) elements.reverse();
      const before = row.element.children.filter((node) => isXmlElement(node, "w:trPr", "w:tblPrEx"));
      row.element.children = [...before, ...elements];
    }
    const before = table.children.filter((node) => isXmlElement(node, "w:tblPr", "w:tblGrid"));
    table.children = [...before, ...rows.map(({ element }) => element)];
  }
}

const closed = new Set(["w:tbl", "w:tr", "w:tc", "w:p"]);

/**
 * Returns child elements with this name, also those inside controls and tracked insertions. Bookmarks between the
 * elements move into the next one.
 */
function nestedChildrenNamed(parent: XmlElement, name: string): XmlElement[] {
  const marks: XmlElement[] = [];
  const readAll = (nodes: readonly XmlNode[]): XmlElement[] =>
    nodes.flatMap((node) => {
      if (!isXmlElement(node)) return [];
      if (node.name === name) {
        const [line] = marks.length === 0 ? [] : descendantElements(node, ["w:p"]);
        if (line !== undefined) {
          const at = isXmlElement(line.children[0], "w:pPr") ? 1 : 0;
          line.children.splice(at, 0, ...marks.splice(0));
        }
        return [node];
      }
      if (node.name === "w:bookmarkStart") marks.push(node);
      return closed.has(node.name) || node.name === "w:del" || node.name === "w:moveFrom" ? [] : readAll(node.children);
    });
  return readAll(parent.children);
}

function visibleTableRowsOf(table: XmlElement, noted: DocxLosses): XmlElement[] {
  return nestedChildrenNamed(table, "w:tr").filter((row) => {
    const properties = childElement(row, "w:trPr");
    if (properties === undefined) return true;
    if (childElement(properties, "w:del") !== undefined) return false;
    const hidden = childElement(properties, "w:hidden");
    if (hidden === undefined || !isPropertyOn(hidden)) return true;
    if (textOfXmlElement(row).trim() !== "") noted.hidden.push(textOfXmlElement(row));
    return false;
  });
}

function gridRowOf(element: XmlElement, noted: DocxLosses): GridRow {
  const properties = childElement(element, "w:trPr");
  const countProperty = (name: string) =>
    Number(attributeValueOf(properties && childElement(properties, name)) ?? 0) || 0;
  const widthProperty = (name: string) =>
    Number(attributeValueOf(properties && childElement(properties, name), "w:w") ?? hairline);
  const cells: GridCell[] = [];
  const row: GridRow = { element, cells, width: 0 };
  const before = Math.min(countProperty("w:gridBefore"), 63);
  const isShifted = before > 0 && widthProperty("w:wBefore") >= hairline;
  if (isShifted) addFillerCells(row, before);
  let more = isShifted ? 0 : before;
  for (const cell of nestedChildrenNamed(element, "w:tc")) {
    const own = childElement(cell, "w:tcPr");
    const columns = Math.max(1, Number(attributeValueOf(own && childElement(own, "w:gridSpan")) ?? 1) || 1) + more;
    more = 0;
    const across = own && childElement(own, "w:hMerge");
    const last = cells.at(-1);
    if (across !== undefined && attributeValueOf(across) !== "restart" && last !== undefined) {
      last.columns += columns;
      row.width += columns;
      if (textOfXmlElement(cell).trim() !== "") noted.covered.push(textOfXmlElement(cell));
      continue;
    }
    const down = own && childElement(own, "w:vMerge");
    const merge = down === undefined ? undefined : attributeValueOf(down) === "restart" ? "restart" : "continue";
    cells.push({ element: cell, column: row.width, columns, merge, isFiller: false });
    row.width += columns;
  }
  const after = Math.min(countProperty("w:gridAfter"), 63);
  const last = cells.at(-1);
  if (after > 0 && widthProperty("w:wAfter") >= hairline) addFillerCells(row, after);
  else if (last !== undefined) {
    last.columns += after;
    row.width += after;
  }
  return row;
}

function addFillerCells(row: GridRow, columns: number): void {
  if (columns === 0) return;
  row.cells.push({ element: emptyCell(), column: row.width, columns, merge: undefined, isFiller: true });
  row.width += columns;
}

function emptyCell(): XmlElement {
  return createXmlElement("w:tc", "", [createXmlElement("w:p")]);
}

/** Removes columns in which no cell begins or ends. Word makes a column for each cell edge of each row. */
function removeUnusedColumns(rows: readonly GridRow[]): void {
  const edges = new Set(
    rows.flatMap(({ cells }) => cells.flatMap(({ column, columns }) => [column, column + columns])),
  );
  const places = new Map([...edges].sort((one, other) => one - other).map((edge, place) => [edge, place]));
  for (const cell of rows.flatMap(({ cells }) => cells)) {
    cell.columns = (places.get(cell.column + cell.columns) ?? 0) - (places.get(cell.column) ?? 0);
    setProperty(cell.element, createXmlElement("w:gridSpan", `w:val="${cell.columns}"`));
  }
}

function setProperty(cell: XmlElement, property: XmlElement): void {
  const own = childElement(cell, "w:tcPr");
  if (own === undefined) cell.children.unshift(createXmlElement("w:tcPr", "", [property]));
  else own.children = [property, ...own.children.filter((node) => !isXmlElement(node, property.name))];
}

/** Ends the vertical merge of a cell if no cell with the same columns is above it, as Word does. */
function endUnmatchedMerges(rows: readonly GridRow[], noted: DocxLosses): void {
  for (const [index, { cells }] of rows.entries()) {
    for (const cell of cells) {
      if (cell.merge !== "continue") continue;
      const above = rows[index - 1]?.cells.find(({ column }) => column === cell.column);
      if (above !== undefined && above.columns === cell.columns && above.merge !== undefined) {
        if (textOfXmlElement(cell.element).trim() !== "") noted.covered.push(textOfXmlElement(cell.element));
        continue;
      }
      restartCellMerge(cell);
    }
  }
}

function restartCellMerge(cell: GridCell): void {
  cell.merge = "restart";
  setProperty(cell.element, createXmlElement("w:vMerge", 'w:val="restart"'));
}

/**
 * Prevents merged cells across the end of the header, where browsers would cut them: their rows become header rows, or
 * the cells are split.
 */
function preventMergesAcrossHeader(rows: readonly GridRow[]): void {
  const isHead = ({ element }: GridRow): boolean => {
    const properties = childElement(element, "w:trPr");
    const mark = properties && childElement(properties, "w:tblHeader");
    return mark !== undefined && isPropertyOn(mark);
  };
  const first = rows.findIndex((row) => !isHead(row));
  if (first <= 0) return;
  let end = first;
  while (end < rows.length && rows[end]?.cells.some(({ merge }) => merge === "continue") === true) end += 1;
  if (end === first) return;
  if (end <= mostHeaderRows && end < rows.length) {
    for (const { element } of rows.slice(first, end)) {
      const properties = childElement(element, "w:trPr");
      if (properties === undefined)
        element.children.unshift(createXmlElement("w:trPr", "", [createXmlElement("w:tblHeader")]));
      else properties.children.push(createXmlElement("w:tblHeader"));
    }
  } else for (const cell of rows[first]?.cells ?? []) if (cell.merge === "continue") restartCellMerge(cell);
}

function textOfXmlElement(element: XmlElement): string {
  return descendantElements(element, ["w:t"]).map(xmlText).join(" ");
}
