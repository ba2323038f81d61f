import { plainText, type Block, type Inline } from "./blocks.ts";
import { isTextRightToLeft, keepMeasures } from "./direction.ts";
import { limitDepth, withoutTables } from "./limit-depth.ts";

/**
 * Prepares blocks for PDF and Word files: limits the nesting, keeps the order of numbers, and removes links to missing
 * headings, because such a link would make the whole export fail.
 */
export function settable(blocks: readonly Block[]): Block[] {
  const places = new Set<string>();
  const name = (all: readonly Block[]): Block[] =>
    all.map((block) => {
      if (block.type === "heading") {
        places.add(block.id);
        return block;
      }
      if (block.type === "list") {
        return { ...block, items: block.items.map((item) => ({ ...item, children: name(item.children) })) };
      }
      if (block.type === "table") {
        const cells = (row: (typeof block.rows)[number]) =>
          row.cells.map((cell) => ({ ...cell, children: cell.children.map(unnamed) }));
        return { ...block, rows: block.rows.map((row) => ({ ...row, cells: cells(row) })) };
      }
      return "children" in block && block.type !== "paragraph" && block.type !== "caption"
        ? { ...block, children: name(block.children) }
        : block;
    });
  const named = name(limitDepth(blocks));
  return named.map((block) => mapLines(block, (nodes) => measured(linked(nodes, places))));
}

/** Keeps the order of numbers and units in lines with right-to-left letters. */
function measured(nodes: readonly Inline[]): Inline[] {
  const isFromRight = isTextRightToLeft(plainText(nodes), true);
  const marked = (node: Inline): Inline => {
    if (node.type === "text") return isFromRight ? { ...node, text: keepMeasures(node.text) } : node;
    // the text of a footnote has lines of its own, so they are handled separately
    if (node.type === "footnote") return { ...node, children: node.children.map((one) => mapLines(one, measured)) };
    return "children" in node ? { ...node, children: node.children.map(marked) } : node;
  };
  return nodes.map(marked);
}

/** The same text without links. */
export function withoutLinks(blocks: readonly Block[]): Block[] {
  const unlinked = (nodes: readonly Inline[]): Inline[] =>
    nodes.flatMap((node): Inline[] => {
      if (node.type === "footnote") return [{ ...node, children: node.children.map((one) => mapLines(one, unlinked)) }];
      if (!("children" in node)) return [node];
      const children = unlinked(node.children);
      return node.type === "link" ? children : [{ ...node, children }];
    });
  return blocks.map((block) => mapLines(block, unlinked));
}

/** The same text with footnotes in a form that Word supports. */
export function notesWithoutTables(blocks: readonly Block[]): Block[] {
  const plain = (nodes: readonly Inline[]): Inline[] =>
    nodes.map((node): Inline => {
      if (node.type === "footnote") return { ...node, children: withoutTables(node.children) };
      return "children" in node ? { ...node, children: plain(node.children) } : node;
    });
  return blocks.map((block) => mapLines(block, plain));
}

function unnamed(block: Block): Block {
  return block.type === "heading" ? { ...block, id: "" } : block;
}

function mapLines(block: Block, change: (nodes: readonly Inline[]) => Inline[]): Block {
  const all = (blocks: readonly Block[]) => blocks.map((one) => mapLines(one, change));
  switch (block.type) {
    case "paragraph":
    case "caption":
    case "heading":
      return { ...block, children: change(block.children) };
    case "list":
      return { ...block, items: block.items.map((item) => ({ ...item, children: all(item.children) })) };
    case "table": {
      const rows = block.rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell) => ({ ...cell, children: all(cell.children) })),
      }));
      return { ...block, rows };
    }
    case "details":
      return { ...block, summary: change(block.summary), children: all(block.children) };
    case "quote":
    case "alert":
      return { ...block, children: all(block.children) };
    default:
      return block;
  }
}

function linked(nodes: readonly Inline[], places: ReadonlySet<string>): Inline[] {
  return nodes.flatMap((node): Inline[] => {
    if (node.type === "footnote") {
      const change = (inner: readonly Inline[]) => linked(inner, places);
      return [{ ...node, children: node.children.map((one) => mapLines(unnamed(one), change)) }];
    }
    if (!("children" in node)) return [node];
    const children = linked(node.children, places);
    const isDead = node.type === "link" && node.url.startsWith("#") && !places.has(node.url.slice(1));
    return isDead ? children : [{ ...node, children }];
  });
}
