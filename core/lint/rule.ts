import type { Heading, Nodes, Root } from "mdast";
import type { FrontMatter } from "#core/markdown/front-matter.ts";

export type Severity = "error" | "warning" | "info";

/** Replaces the characters from `start` up to `end` (offsets in the file). */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** A safe fix never changes what the text means; an unsafe one is applied only when asked for. */
export interface Fix {
  safe: boolean;
  edits: Edit[];
}

/** Lines and columns count from 1; the end is exclusive. The same in editor, server, CLI and CI. */
export interface Finding {
  rule: string;
  severity: Severity;
  message: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  fix?: Fix;
}

/** What the server owns of a file: the values it last gave out. */
export interface ServerOwned {
  sop?: string;
  id?: string;
  version?: number;
}

/** Where a finding stands: a node, or offsets in the file. */
export type Place = Nodes | { start: number; end: number };

export interface RuleContext {
  /** The whole file. */
  readonly text: string;
  readonly path: string;
  /** The body's tree; positions count in the whole file. */
  readonly tree: Root;
  /** The front matter as it stands, null where there is none. Values are not checked. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** The place of the front matter's key, or of its whole block; the first character where there is none. */
  placeOf(key?: keyof FrontMatter): Place;
  readonly base: ServerOwned | undefined;
  /** Templates hold placeholders on purpose. */
  readonly isTemplate: boolean;
  report(message: string, place: Place, fix?: Fix): void;
}

/** Called for each node of a type, parents first; `done` after the last. */
export type Visitor = {
  [Type in Nodes["type"]]?: (node: Extract<Nodes, { type: Type }>, parents: readonly Nodes[]) => void;
} & {
  done?: () => void;
};

/** One check. Its examples are its documentation (`--explain`) and its tests. */
export interface Rule {
  id: string;
  severity: Severity;
  fixable: "safe" | "unsafe" | "no";
  /** The standard it comes from (research cli.md §4). */
  source: string;
  /** Why it matters, one sentence. */
  why: string;
  create(context: RuleContext): Visitor;
  good: readonly string[];
  bad: readonly BadExample[];
}

export interface BadExample {
  text: string;
  /** The lines findings stand on. */
  lines: readonly number[];
  /** The text after the fixes. */
  fixed?: string;
  base?: ServerOwned;
}

/** The edit that gives a heading another depth, whichever way it is written. */
export function headingEdit(text: string, heading: Heading, depth: number): Edit {
  const start = heading.position?.start.offset ?? 0;
  const end = heading.position?.end.offset ?? 0;
  if (text[start] === "#") return { start, end: start + heading.depth, text: "#".repeat(depth) };
  const title = text
    .slice(start, end)
    .replace(/\n[ \t>]*[=-]+[ \t]*$/, "")
    .replace(/[ \t]*\n[ \t]*/g, " ");
  return { start, end, text: `${"#".repeat(depth)} ${title}` };
}
