/**
 * The text of a document for exports, as a tree of few kinds of nodes. It is made from sanitised HTML and is plain
 * JSON.
 */
import type { AlertKind } from "../markdown/alert-grades.ts";

export type ExportMark = "strong" | "em" | "del" | "sub" | "sup" | "kbd";

export type ExportInline =
  | { type: "text"; text: string }
  | { type: "break" }
  | { type: "code"; text: string }
  | { type: ExportMark; children: ExportInline[] }
  /** `url` is absolute, or `#` and the id of a heading of the same document. */
  | { type: "link"; url: string; children: ExportInline[] }
  /** `asset` is `<sha256>`, usually with `.<ext>`; `width` is in CSS pixels, if the text asks for one. */
  | { type: "image"; asset: string; alt: string; width?: number }
  | { type: "footnote"; number: number; children: ExportBlock[] }
  /** A further reference to an earlier footnote. */
  | { type: "footnote-again"; number: number };

export interface ExportParagraph {
  type: "paragraph";
  /** True for a paragraph that is read from right to left (`isTextRightToLeft`). */
  rtl: boolean;
  children: ExportInline[];
}

export interface ExportHeading {
  type: "heading";
  level: number;
  id: string;
  rtl: boolean;
  children: ExportInline[];
}

export interface ListItem {
  /** True for a done task, false for an open one; null for other items. */
  checked: boolean | null;
  children: ExportBlock[];
}

export interface ExportList {
  type: "list";
  ordered: boolean;
  start: number;
  /** True for a list without blank lines between its items. */
  tight: boolean;
  items: ListItem[];
}

export interface ExportCell {
  header: boolean;
  align: "left" | "center" | "right" | null;
  /** The cell's first column, from 0. */
  column: number;
  columns: number;
  rows: number;
  /** An upper limit for the width of the widest word, in multiples of the font size. */
  widest: number;
  children: ExportBlock[];
}

export interface ExportTableRow {
  /** True for a row so high that a page break may split it. */
  tall: boolean;
  cells: ExportCell[];
}

export interface ExportTable {
  type: "table";
  /** Each column's share of the width; the shares add up to 1. */
  shares: number[];
  /** The number of letters on a line at which the longest word of each column isn't broken. */
  letters: number;
  /** True for a table that is only as wide as its text, because the text needs far less than a line. */
  narrow: boolean;
  /** The number of header rows, which are repeated on each page. */
  headRows: number;
  rows: ExportTableRow[];
}

export type ExportBlock =
  | ExportParagraph
  | ExportHeading
  | ExportList
  | ExportTable
  | { type: "code"; lang: string | null; text: string }
  /** The caption of the image before it. */
  | { type: "caption"; rtl: boolean; children: ExportInline[] }
  | { type: "quote"; children: ExportBlock[] }
  | { type: "alert"; kind: AlertKind; title: string; children: ExportBlock[] }
  | { type: "details"; summary: ExportInline[]; children: ExportBlock[] }
  | { type: "rule" };

/** Returns the names of all images in the text, each once. */
export function imageNamesIn(blocks: readonly ExportBlock[]): string[] {
  const names = new Set<string>();
  const collectImages = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(collectImages);
    else if (typeof node === "object" && node !== null) {
      if ("type" in node && node.type === "image" && "asset" in node) names.add(String(node.asset));
      Object.values(node).forEach(collectImages);
    }
  };
  collectImages(blocks);
  return [...names];
}

/** Returns the text without markup, for measuring and comparing. */
export function plainTextOfInlines(nodes: readonly ExportInline[]): string {
  return nodes
    .map((node) => {
      if (node.type === "text" || node.type === "code") return node.text;
      if (node.type === "break") return "\n";
      if (node.type === "image") return node.alt;
      return "children" in node && node.type !== "footnote" ? plainTextOfInlines(node.children as ExportInline[]) : "";
    })
    .join("");
}
