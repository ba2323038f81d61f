import type { IParagraphOptions, Paragraph, Table } from "docx";
import type { Numbering } from "./numbering.ts";
import type { LineContext } from "./runs.ts";

export type Flow = Paragraph | Table;

export interface FlowContext extends LineContext {
  numbering: Numbering;
}

/** A paragraph from the right begins its indents, numbers and tabs there. */
export function bidirectional(rtl: boolean): Partial<IParagraphOptions> {
  return rtl ? { bidirectional: true } : {};
}

/** The place of blocks: indentation, depth of lists, and frame. */
export interface Place {
  /** Twips. */
  indent: number;
  /** Of the cell around, in twips; undefined on the page. */
  width?: number;
  lists: number;
  /** For every paragraph: the shade and the line of a box, the style of a quote or of a cell. */
  frame: Partial<IParagraphOptions>;
}
