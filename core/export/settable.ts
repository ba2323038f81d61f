import { plainTextOfInlines, type ExportBlock, type ExportInline } from "./blocks.ts";
import { isTextRightToLeft, withMeasureOrderMarks } from "./direction.ts";
import { withLimitedDepth, withoutTables } from "./limit-depth.ts";

/**
 * Returns blocks for PDF and Word files: with limited nesting, with marks that keep the order of numbers, and without
 * links to missing headings, with which the export would fail.
 */
export function blocksForTypesetting(blocks: readonly ExportBlock[]): ExportBlock[] {
  const places = new Set<string>();
  const collectHeadingIds = (all: readonly ExportBlock[]): ExportBlock[] =>
    all.map((block) => {
      if (block.type === "heading") {
        places.add(block.id);
        return block;
      }
      if (block.type === "list") {
        return {
          ...block,
          items: block.items.map((item) => ({ ...item, children: collectHeadingIds(item.children) })),
        };
      }
      if (block.type === "table") {
        const cellsWithoutHeadingIds = (row: (typeof block.rows)[number]) =>
          row.cells.map((cell) => ({ ...cell, children: cell.children.map(withoutHeadingId) }));
        return { ...block, rows: block.rows.map((row) => ({ ...row, cells: cellsWithoutHeadingIds(row) })) };
      }
      return "children" in block && block.type !== "paragraph" && block.type !== "caption"
        ? { ...block, children: collectHeadingIds(block.children) }
        : block;
    });
  const named = collectHeadingIds(withLimitedDepth(blocks));
  return named.map((block) => mapInlines(block, (nodes) => withMeasureOrder(withoutDeadLinks(nodes, places))));
}

/** Keeps the order of numbers and units in lines with right-to-left letters. */
function withMeasureOrder(nodes: readonly ExportInline[]): ExportInline[] {
  const isFromRight = isTextRightToLeft(plainTextOfInlines(nodes), true);
  const markMeasures = (node: ExportInline): ExportInline => {
    if (node.type === "text") return isFromRight ? { ...node, text: withMeasureOrderMarks(node.text) } : node;
    // change the lines of a footnote separately, because their reading direction can differ
    if (node.type === "footnote")
      return { ...node, children: node.children.map((one) => mapInlines(one, withMeasureOrder)) };
    return "children" in node ? { ...node, children: node.children.map(markMeasures) } : node;
  };
  return nodes.map(markMeasures);
}

/** Returns the blocks with the text of each link in place of the link. */
export function withoutLinks(blocks: readonly ExportBlock[]): ExportBlock[] {
  const unlinkInlines = (nodes: readonly ExportInline[]): ExportInline[] =>
    nodes.flatMap((node): ExportInline[] => {
      if (node.type === "footnote")
        return [{ ...node, children: node.children.map((one) => mapInlines(one, unlinkInlines)) }];
      if (!("children" in node)) return [node];
      const children = unlinkInlines(node.children);
      return node.type === "link" ? children : [{ ...node, children }];
    });
  return blocks.map((block) => mapInlines(block, unlinkInlines));
}

/**
 * Returns the blocks without tables in footnotes, because Word supports no tables there. The content of the cells
 * stays.
 */
export function withoutTablesInNotes(blocks: readonly ExportBlock[]): ExportBlock[] {
  const notesWithoutTable = (nodes: readonly ExportInline[]): ExportInline[] =>
    nodes.map((node): ExportInline => {
      if (node.type === "footnote") return { ...node, children: withoutTables(node.children) };
      return "children" in node ? { ...node, children: notesWithoutTable(node.children) } : node;
    });
  return blocks.map((block) => mapInlines(block, notesWithoutTable));
}

function withoutHeadingId(block: ExportBlock): ExportBlock {
  return block.type === "heading" ? { ...block, id: "" } : block;
}

function mapInlines(block: ExportBlock, change: (nodes: readonly ExportInline[]) => ExportInline[]): ExportBlock {
  const mapAll = (blocks: readonly ExportBlock[]) => blocks.map((one) => mapInlines(one, change));
  switch (block.type) {
    case "paragraph":
    case "caption":
    case "heading":
      return { ...block, children: change(block.children) };
    case "list":
      return { ...block, items: block.items.map((item) => ({ ...item, children: mapAll(item.children) })) };
    case "table": {
      const rows = block.rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell) => ({ ...cell, children: mapAll(cell.children) })),
      }));
      return { ...block, rows };
    }
    case "details":
      return { ...block, summary: change(block.summary), children: mapAll(block.children) };
    case "quote":
    case "alert":
      return { ...block, children: mapAll(block.children) };
    default:
      return block;
  }
}

function withoutDeadLinks(nodes: readonly ExportInline[], places: ReadonlySet<string>): ExportInline[] {
  return nodes.flatMap((node): ExportInline[] => {
    if (node.type === "footnote") {
      const changeInlines = (inner: readonly ExportInline[]) => withoutDeadLinks(inner, places);
      return [{ ...node, children: node.children.map((one) => mapInlines(withoutHeadingId(one), changeInlines)) }];
    }
    if (!("children" in node)) return [node];
    const children = withoutDeadLinks(node.children, places);
    const isDead = node.type === "link" && node.url.startsWith("#") && !places.has(node.url.slice(1));
    return isDead ? children : [{ ...node, children }];
  });
}
