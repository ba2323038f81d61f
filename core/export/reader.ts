import type { ElementContent, RootContent } from "hast";
import type { Block, Inline } from "./blocks.ts";

export type Node = RootContent | ElementContent;

/** Reads nodes of the sanitised HTML as blocks or as a line of text. */
export interface Reader {
  blocks(nodes: readonly Node[]): Block[];
  inlines(nodes: readonly Node[]): Inline[];
}
