/** Tells how a browser shows HTML elements: hidden elements, blocks, and the columns of tables. */
import type { Element } from "hast";
import { isElement, nodeText } from "#core/markdown/html/elements.ts";

export function hasOnlyLists(item: Element): boolean {
  const own = item.children.filter(
    (child) => !(child.type === "text" && child.value.trim() === "") && child.type !== "comment",
  );
  return own.length > 0 && own.every((child) => isElement(child, "ol") || isElement(child, "ul"));
}

export function elementsNamed(parent: Element, name: string): Element[] {
  return parent.children.flatMap((child) =>
    child.type !== "element" ? [] : child.tagName === name ? [child] : elementsNamed(child, name),
  );
}

/** Returns the rows of a table in groups, in the order in which browsers show them: the head first, the foot last. */
export function tableRowGroupsOf(table: Element): Element[][] {
  const rowsOfGroup = (name: string) =>
    table.children.flatMap((part) => (isElement(part, name) ? [elementsNamed(part as Element, "tr")] : []));
  const direct = table.children.filter((part): part is Element => isElement(part, "tr"));
  return [...rowsOfGroup("thead"), direct, ...rowsOfGroup("tbody"), ...rowsOfGroup("tfoot")];
}

/**
 * The maximum number of columns that merged cells can cover, because a few bytes could claim millions of columns. Cells
 * beyond this column follow each other without gaps.
 */
const mostColumns = 1_000;

/** Returns the cells of a row group with the columns in which browsers show them. A merged cell ends with its group. */
export function cellsWithColumns(rows: readonly Element[]): { cell: Element; column: number }[][] {
  /** For each column, the number of rows that a merged cell still covers. */
  const covered: number[] = [];
  return rows.map((row) => {
    let column = 0;
    const cells = row.children.flatMap((cell) => {
      if (cell.type !== "element" || (cell.tagName !== "td" && cell.tagName !== "th") || isHidden(cell)) return [];
      while ((covered[column] ?? 0) > 0) column += 1;
      const at = column;
      column += cellSpanOf(cell, "colSpan");
      for (let next = at; next < Math.min(column, mostColumns); next += 1)
        covered[next] = Math.max(covered[next] ?? 0, cellSpanOf(cell, "rowSpan"));
      return [{ cell, column: at }];
    });
    for (let at = 0; at < covered.length; at += 1) covered[at] = Math.max(0, (covered[at] ?? 0) - 1);
    return cells;
  });
}

export function isHidden({ properties, tagName }: Element): boolean {
  const { hidden, style } = properties;
  if (hidden !== undefined && hidden !== false && hidden !== null) return true;
  if (tagName === "dialog" && (properties["open"] === undefined || properties["open"] === false)) return true;
  return (
    typeof style === "string" &&
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)/i.test(style)
  );
}

/** Tells whether a style makes an element a separate block. */
export function isShownAsBlock({ properties: { style } }: Element): boolean {
  return (
    typeof style === "string" && /(?:^|;)\s*display\s*:\s*(?:block|flex|grid|list-item|table|flow-root)\b/i.test(style)
  );
}

/** Tells whether an element is the letter that Word writes in place of a hollow bullet. */
export function isBulletOfWord(node: Element): boolean {
  const { style } = node.properties;
  return typeof style === "string" && /mso-list\s*:\s*ignore/i.test(style) && nodeText(node).trim() === "o";
}

function cellSpanOf(cell: Element, name: "colSpan" | "rowSpan"): number {
  const value = Math.trunc(Number(cell.properties[name] ?? 1));
  if (name === "rowSpan" && value === 0) return Number.MAX_SAFE_INTEGER;
  return Number.isFinite(value) && value > 0 ? Math.min(value, name === "colSpan" ? 1000 : 65_534) : 1;
}

/** Tells whether words are an address, which readers and programs recognize as a link without markup. */
export function isLinkAddress(words: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:)\S+$|^[^\s@]+@[^\s@]+\.[^\s@]+$/i.test(words.trim());
}
