import type { IParagraphOptions, Paragraph, Table } from "docx";
import type { NumberingWriter } from "./numbering.ts";
import type { LineContext } from "./runs.ts";

export type DocxBlock = Paragraph | Table;

export interface FlowContext extends LineContext {
  numbering: NumberingWriter;
}

/** In a right-to-left paragraph, indents, numbers and tabs begin on the right. */
export function bidirectionalOptions(rtl: boolean): Partial<IParagraphOptions> {
  return rtl ? { bidirectional: true } : {};
}

/** The place of blocks: indentation, depth of lists, and frame. */
export interface DocxPlace {
  /** The indent in twips. */
  indent: number;
  /** The width of the cell around, in twips; undefined on the page. */
  width?: number;
  lists: number;
  /** Options for every paragraph: the shade and line of a box, the style of a quote or of a cell. */
  frame: Partial<IParagraphOptions>;
}
