/** A document's text as typesetters take it: a tree of few kinds of node, made from the sanitised render. Plain JSON. */
import type { AlertKind } from "../markdown/alert-grades.ts";

export type Mark = "strong" | "em" | "del" | "sub" | "sup" | "kbd";

export type Inline =
  | { type: "text"; text: string }
  | { type: "break" }
  | { type: "code"; text: string }
  | { type: Mark; children: Inline[] }
  /** `url` is absolute, or `#` and the id of a heading of the same document. */
  | { type: "link"; url: string; children: Inline[] }
  /** `asset` is `<sha256>` and, mostly, `.<ext>`; `width` where the text asks for one, in CSS pixels. */
  | { type: "image"; asset: string; alt: string; width?: number }
  | { type: "footnote"; number: number; children: Block[] }
  /** A further mark of an earlier note. */
  | { type: "footnote-again"; number: number };

export interface Paragraph {
  type: "paragraph";
  /** It is read from the right (`isTextRightToLeft`). */
  rtl: boolean;
  children: Inline[];
}

export interface Heading {
  type: "heading";
  level: number;
  id: string;
  rtl: boolean;
  children: Inline[];
}

export interface ListItem {
  /** For a task item: is it done? Null for any other. */
  checked: boolean | null;
  children: Block[];
}

export interface List {
  type: "list";
  ordered: boolean;
  start: number;
  /** No blank lines between its items. */
  tight: boolean;
  items: ListItem[];
}

export interface Cell {
  header: boolean;
  align: "left" | "center" | "right" | null;
  /** Its first column, from 0. */
  column: number;
  columns: number;
  rows: number;
  /** The width that its widest word has at most, in sizes of its type. */
  widest: number;
  children: Block[];
}

export interface Row {
  /** So long that a page's end may cut it. */
  tall: boolean;
  cells: Cell[];
}

export interface Table {
  type: "table";
  /** Each column's share of the width; they add up to 1. */
  shares: number[];
  /** Letters of a line that the longest words of its columns need side by side. */
  letters: number;
  /** Set as wide as its text needs, where that is far less than a line. */
  narrow: boolean;
  /** Rows that are repeated on each page. */
  headRows: number;
  rows: Row[];
}

export type Block =
  | Paragraph
  | Heading
  | List
  | Table
  | { type: "code"; lang: string | null; text: string }
  /** The words below the image before it. */
  | { type: "caption"; rtl: boolean; children: Inline[] }
  | { type: "quote"; children: Block[] }
  | { type: "alert"; kind: AlertKind; title: string; children: Block[] }
  | { type: "details"; summary: Inline[]; children: Block[] }
  | { type: "rule" };

/** The names of all images in the text, each once. */
export function picturesOf(blocks: readonly Block[]): string[] {
  const names = new Set<string>();
  const look = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(look);
    else if (typeof node === "object" && node !== null) {
      if ("type" in node && node.type === "image" && "asset" in node) names.add(String(node.asset));
      Object.values(node).forEach(look);
    }
  };
  look(blocks);
  return [...names];
}

/** The letters of a text without any marks, for measuring and for looking at. */
export function plainText(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      if (node.type === "text" || node.type === "code") return node.text;
      if (node.type === "break") return "\n";
      if (node.type === "image") return node.alt;
      return "children" in node && node.type !== "footnote" ? plainText(node.children as Inline[]) : "";
    })
    .join("");
}
