/** A finding of the checks, with its position in the file. */
import type { Nodes } from "mdast";
import type { Reason } from "#core/errors.ts";
import type { Sentence } from "#core/language/catalog.ts";

export type Severity = "error" | "warning" | "info";

/** Replaces the characters from `start` up to `end` (offsets in the file). */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/**
 * A fix of a finding. A safe fix changes the syntax tree only as its rule declares (`safe-fix.ts`). Other fixes are
 * applied on request.
 */
export interface Fix {
  safe: boolean;
  edits: TextEdit[];
}

/** A range in a file. Lines and columns count from 1, and the end is exclusive. */
export interface Position {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface Finding extends Position {
  rule: string;
  severity: Severity;
  /** The message in English. */
  message: string;
  /** The catalog id and values of `message`, for other languages; absent if another program wrote the message. */
  reason?: Reason | undefined;
  fix?: Fix;
}

/** Creates a finding whose message a client can show in its own language. */
export function findingOf(
  rule: string,
  severity: Severity,
  { id, values, text }: Sentence & { values?: Reason["values"] },
  { line, column, endLine, endColumn }: Position,
  fix?: Fix,
): Finding {
  const reason = id === undefined || values === undefined ? {} : { reason: { id, values } };
  const hasFix = fix !== undefined && fix.edits.length > 0;
  return { rule, severity, message: text, ...reason, line, column, endLine, endColumn, ...(hasFix && { fix }) };
}

/** The place of a finding: a node, or offsets in the file. */
export type FindingPlace = Nodes | { start: number; end: number };
