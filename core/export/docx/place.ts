import type { IParagraphOptions, Paragraph, Table } from "docx";
import type { Numbering } from "./numbering.ts";
import type { LineContext } from "./runs.ts";

export type Flow = Paragraph | Table;

export interface FlowContext extends LineContext {
  numbering: Numbering;
}

/** The place of blocks: indentation, depth of lists, and frame. */
export interface Place {
  /** Twips. */
  indent: number;
  lists: number;
  /** For every paragraph: the shade and the line of a box, the style of a quote or of a cell. */
  frame: Partial<IParagraphOptions>;
}
