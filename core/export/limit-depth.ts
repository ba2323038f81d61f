import type { ExportBlock, ExportInline, ExportList } from "./blocks.ts";

type FramedBlock = Extract<ExportBlock, { type: "quote" | "alert" | "details" }>;

/**
 * The maximum nesting of boxes. Deeper ones lose their frame but not their text, because Word numbers nine levels and a
 * page has room for fewer.
 */
const deepest = 9;
/** The maximum nesting of inline marks such as bold. */
const deepestMark = 6;

/**
 * Returns the blocks without boxes and marks that are nested too deeply for an export. The text of the removed ones
 * stays.
 */
export function withLimitedDepth(blocks: readonly ExportBlock[], depth = 0): ExportBlock[] {
  return blocks.flatMap((block) => flattenDeepBlock(block, depth));
}

/**
 * Returns the blocks with the content of the cells in place of each table, because footnotes in Word can't contain
 * tables.
 */
export function withoutTables(blocks: readonly ExportBlock[]): ExportBlock[] {
  return blocks.flatMap((block): ExportBlock[] => {
    switch (block.type) {
      case "table":
        return block.rows.flatMap(({ cells }) => cells.flatMap(({ children }) => withoutTables(children)));
      case "list": {
        const items = block.items.map((item) => ({ ...item, children: withoutTables(item.children) }));
        return [{ ...block, items }];
      }
      case "quote":
      case "alert":
      case "details":
        return [{ ...block, children: withoutTables(block.children) }];
      default:
        return [block];
    }
  });
}

function flattenDeepBlock(block: ExportBlock, depth: number): ExportBlock[] {
  switch (block.type) {
    case "paragraph":
    case "caption":
    case "heading":
      return [{ ...block, children: flattenDeepMarks(block.children, depth) }];
    case "list":
      return flattenDeepList(block, depth);
    case "quote":
    case "alert":
    case "details": {
      const children = withLimitedDepth(block.children, depth + 1);
      return depth < deepest ? [{ ...block, children }] : [...frameHeadingOf(block, depth), ...children];
    }
    case "table": {
      if (depth >= deepest) {
        return block.rows.flatMap(({ cells }) => cells.flatMap((cell) => withLimitedDepth(cell.children, depth)));
      }
      const rows = block.rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell) => ({ ...cell, children: withLimitedDepth(cell.children, depth + 2) })),
      }));
      return [{ ...block, rows }];
    }
    default:
      return [block];
  }
}

/** Returns the title of an alert or the summary of a details block, shown as a line in its frame. */
function frameHeadingOf(block: FramedBlock, depth: number): ExportBlock[] {
  if (block.type === "quote") return [];
  const children: ExportInline[] =
    block.type === "alert" ? [{ type: "text", text: block.title }] : flattenDeepMarks(block.summary, depth);
  return children.length === 0 ? [] : [{ type: "paragraph", rtl: false, children }];
}

function flattenDeepList(list: ExportList, depth: number): ExportBlock[] {
  if (depth < deepest) {
    const items = list.items.map((item) => ({ ...item, children: withLimitedDepth(item.children, depth + 1) }));
    return [{ ...list, items }];
  }
  return list.items.flatMap((item, index) => {
    const box = item.checked === null ? "" : item.checked ? "☑ " : "☐ ";
    const sign = list.ordered ? `${list.start + index}. ${box}` : box || "– ";
    const [first, ...rest] = withLimitedDepth(item.children, depth);
    const opening: ExportInline[] = first?.type === "paragraph" ? first.children : [];
    const paragraph: ExportBlock = {
      type: "paragraph",
      rtl: false,
      children: [{ type: "text", text: sign }, ...opening],
    };
    return first === undefined || first.type === "paragraph" ? [paragraph, ...rest] : [paragraph, first, ...rest];
  });
}

function flattenDeepMarks(nodes: readonly ExportInline[], depth: number, marks = 0): ExportInline[] {
  return nodes.flatMap((node): ExportInline[] => {
    if (node.type === "footnote") return [{ ...node, children: withLimitedDepth(node.children, depth + 3) }];
    if (!("children" in node)) return [node];
    const children = flattenDeepMarks(node.children, depth, marks + 1);
    return marks < deepestMark ? [{ ...node, children }] : children;
  });
}
