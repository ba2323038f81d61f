/** A finding of the checks, with its position in the file. */
import type { Nodes } from "mdast";

export type Severity = "error" | "warning" | "info";

/** Replaces the characters from `start` up to `end` (offsets in the file). */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/**
 * A safe fix keeps the syntax tree, apart from what its rule declares (`safe-fix.ts`). Other fixes are applied on
 * request.
 */
export interface Fix {
  safe: boolean;
  edits: TextEdit[];
}

/** Lines and columns count from 1, and the end is exclusive: the same in editor, server, CLI and CI. */
export interface Position {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface Finding extends Position {
  rule: string;
  severity: Severity;
  message: string;
  fix?: Fix;
}

/** The place of a finding: a node, or offsets in the file. */
export type FindingPlace = Nodes | { start: number; end: number };
