/**
 * Splits Markdown into the units that a merge compares: blocks, and the items or rows of a list or table that is on
 * both sides.
 */
import type { List, ListItem, Nodes, RootContent, Table } from "mdast";
import { parseMarkdown } from "../markdown/parse.ts";
import { plainText } from "../markdown/plain-text.ts";
import type { DiffPart } from "./parts.ts";

export interface DiffUnit extends DiffPart {
  source: string;
  node: Nodes;
}

/** Returns the blocks of a body, in order. */
export function blockUnits(body: string): DiffUnit[] {
  return parseMarkdown(body).children.map((node) => diffUnitOf(node, comparableTypeOf(node), sourceOfNode(node, body)));
}

/** A list or a table, split into items or rows. Two sides are merged item by item only if their frames are equal. */
export interface SplitBlock {
  kind: "item" | "row";
  units: DiffUnit[];
  /** A table's header row, which is not one of the units. */
  head: string;
  /** The text between two units. */
  glue: string;
  /** The first number of a numbered list; null for other blocks. */
  start: number | null;
  /** A key that is equal for two lists or tables that can be merged item by item. */
  frame: string;
}

/** Splits a list or table. @returns null for other blocks, which are compared as a whole */
export function splitBlock({ node, source }: DiffUnit): SplitBlock | null {
  if (node.type === "list") return splitList(node, source);
  return node.type === "table" ? splitTable(node, source) : null;
}

function splitList(list: List, source: string): SplitBlock | null {
  const offset = list.position?.start.offset ?? 0;
  if (list.children.some(({ position }) => position?.start.column !== 1)) return null;
  const sources = list.children.map((item) => sourceOfNode(item, source, offset));
  const mark = /^(?:[-*+]|\d+([.)]))/.exec(sources[0] ?? "");
  const start = list.ordered ? (list.start ?? 1) : null;
  const glue = list.spread ? "\n\n" : "\n";
  return {
    kind: "item",
    units: list.children.map((item, index) =>
      diffUnitOf(item, "item", sources[index] ?? "", itemContentOf(item, sources[index] ?? "")),
    ),
    head: "",
    glue,
    start,
    frame: JSON.stringify([start, mark?.[1] ?? mark?.[0], glue]),
  };
}

const marker = /^(?:[-*+]|\d{1,9}[.)])(?: +|(?=\n)|$)/;

/** Returns the content of a list item without its number, which only says its position. */
function itemContentOf({ checked }: ListItem, source: string): string {
  const width = marker.exec(source)?.[0].length ?? 0;
  const rest = source
    .slice(width)
    .replace(/\n */g, (indent) => `\n${" ".repeat(Math.max(0, indent.length - 1 - width))}`);
  return `${String(checked)}\u0000${rest}`;
}

function splitTable(table: Table, source: string): SplitBlock | null {
  const offset = table.position?.start.offset ?? 0;
  const [headRow, ...rows] = table.children;
  if (!headRow || table.position?.start.column !== 1) return null;
  const end = rows[0]?.position?.start.offset;
  return {
    kind: "row",
    units: rows.map((row) => {
      const own = sourceOfNode(row, source, offset);
      return diffUnitOf(row, "row", own, own.replace(/[ \t]+/g, " "));
    }),
    head: (end === undefined ? source : source.slice(0, end - offset)).trimEnd(),
    glue: "\n",
    start: null,
    // leave out the dashes, because they are as long as the widest cell of their column
    frame: JSON.stringify([sourceOfNode(headRow, source, offset).replace(/[ \t]+/g, " "), table.align]),
  };
}

function diffUnitOf(node: Nodes, family: string, source: string, content = source): DiffUnit {
  return { node, family, source, key: `${family}\u0000${content}`, text: plainText(node), nodes: [] };
}

function comparableTypeOf(node: RootContent): string {
  return node.type === "list" ? `list ${String(node.ordered)}` : node.type;
}

function sourceOfNode(node: Nodes, text: string, offset = 0): string {
  return text.slice((node.position?.start.offset ?? 0) - offset, (node.position?.end.offset ?? 0) - offset);
}
