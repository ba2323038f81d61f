import type { IParagraphOptions, Paragraph, Table } from "docx";
import type { NumberingWriter } from "./numbering.ts";
import type { LineContext } from "./runs.ts";

export type DocxBlock = Paragraph | Table;

export interface FlowContext extends LineContext {
  numbering: NumberingWriter;
}

/**
 * Returns the options of a paragraph in this direction. In a right-to-left one, indents, numbers and tabs begin on the
 * right.
 */
export function bidirectionalOptions(rtl: boolean): Partial<IParagraphOptions> {
  return rtl ? { bidirectional: true } : {};
}

/** The surroundings of a block: indentation, depth of lists, and frame. */
export interface DocxPlace {
  /** The indent in twips. */
  indent: number;
  /** The width of the table cell around the block, in twips; undefined outside of tables. */
  width?: number;
  lists: number;
  /** Options for every paragraph, such as the shade of a box or the style of a quote. */
  frame: Partial<IParagraphOptions>;
}
