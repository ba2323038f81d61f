import type { ElementContent, RootContent } from "hast";
import type { ExportBlock, ExportInline } from "./blocks.ts";

export type HtmlNode = RootContent | ElementContent;

/** Reads nodes of the sanitised HTML as blocks or as a line of text. */
export interface HtmlBlockReader {
  blocks(nodes: readonly HtmlNode[]): ExportBlock[];
  inlines(nodes: readonly HtmlNode[]): ExportInline[];
}
