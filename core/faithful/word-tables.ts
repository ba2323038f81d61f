import { emptyXmlNode, childNamed, xmlAttribute, isPropertyOn, type WordXmlNode } from "./word-xml.ts";

export interface WordCell {
  cell: WordXmlNode;
  column: number;
  width: number;
}

/** The maximum difference, in twips, of cell edges that look aligned. */
const hairline = 150;

/**
 * Returns the cells of a row with their grid columns. @param gaps receives the ranges of the grid that the row leaves
 * out
 */
export function cellsInGridColumns(row: WordXmlNode, gaps: { from: number; to: number }[]): WordCell[] {
  const properties = childNamed(row, "w:trPr");
  const countProperty = (name: string) => Number(xmlAttribute(childNamed(properties, name)) ?? 0);
  const isWide = (name: string) => Number(xmlAttribute(childNamed(properties, name), "w:w") ?? hairline) >= hairline;
  const before = countProperty("w:gridBefore");
  let column = isWide("w:wBefore") ? before : 0;
  let more = before - column;
  if (column > 0) gaps.push({ from: 0, to: column });
  const cells: WordCell[] = [];
  for (const cell of wordTableCellsOf(row)) {
    const own = childNamed(cell, "w:tcPr");
    const width = Number(xmlAttribute(childNamed(own, "w:gridSpan")) ?? 1) + more;
    more = 0;
    const across = childNamed(own, "w:hMerge");
    const last = cells.at(-1);
    // widen the first of several merged cells, which covers the others
    if (across !== undefined && xmlAttribute(across) !== "restart" && last !== undefined) last.width += width;
    else cells.push({ cell, column, width });
    column += width;
  }
  const after = countProperty("w:gridAfter");
  const last = cells.at(-1);
  if (after > 0 && isWide("w:wAfter")) gaps.push({ from: column, to: column + after });
  else if (last !== undefined) last.width += after;
  return cells;
}

export function wordTableRowsOf(table: WordXmlNode): WordXmlNode[] {
  return table.children.flatMap((child) => {
    if (child.name === "w:tr") {
      const properties = childNamed(child, "w:trPr");
      return childNamed(properties, "w:del") !== undefined || isPropertyOn(childNamed(properties, "w:hidden"))
        ? []
        : [child];
    }
    if (child.name === "w:ins" || child.name === "w:moveTo" || child.name === "w:customXml")
      return wordTableRowsOf(child);
    return child.name === "w:sdt" ? wordTableRowsOf(childNamed(child, "w:sdtContent") ?? emptyXmlNode("")) : [];
  });
}

function wordTableCellsOf(row: WordXmlNode): WordXmlNode[] {
  return row.children.flatMap((child) => {
    if (child.name === "w:tc") return [child];
    if (child.name === "w:ins" || child.name === "w:moveTo" || child.name === "w:customXml")
      return wordTableCellsOf(child);
    return child.name === "w:sdt" ? wordTableCellsOf(childNamed(child, "w:sdtContent") ?? emptyXmlNode("")) : [];
  });
}

/**
 * Returns the grid columns that a reader can tell apart, in the order in which Word shows them.
 * @param isTurned true for a table that Word shows in the other direction; the cells in `placed` are then mirrored in
 *   place
 */
export function visibleGridColumns(
  placed: readonly WordCell[][],
  gaps: readonly { from: number; to: number }[],
  isTurned: boolean,
): number[] {
  const edges = new Set([0, ...placed.flat().flatMap(({ column, width }) => [column, column + width])]);
  const all = [...edges].sort((one, other) => one - other);
  const begins = new Set(placed.flat().map(({ column }) => column));
  const isColumn = (edge: number) => begins.has(edge) || gaps.some(({ from, to }) => edge >= from && edge < to);
  if (!isTurned) return all.filter(isColumn);
  const last = all.at(-1) ?? 0;
  for (const cells of placed) {
    for (const one of cells) one.column = last - one.column - one.width;
    cells.reverse();
  }
  return all.map((edge) => last - edge).reverse();
}
