import type { ReportCode } from "#core/import/markdown/report.ts";
import type { SourceLine } from "../text/lines.ts";

export type Dialect =
  | "mkdocs"
  | "myst"
  | "container"
  | "hugo"
  | "liquid"
  | "template"
  | "mdx"
  | "html"
  | "obsidian"
  | "pandoc";

/**
 * mapped: it is Markdown of ours now. kept: its text is unchanged, in place or in a fenced block that names its
 * dialect. reported: it isn't whole (no end), so it stays as text.
 */
export type Outcome = "mapped" | "kept" | "reported";

/** A piece of markup that plain Markdown doesn't know. */
export interface Construct {
  dialect: Dialect;
  /** As short as it can be recognized: `!!! warning`, `{toctree}`, `{{< ref >}}`. */
  name: string;
  /** Its first line in the file (1-based). */
  line: number;
  outcome: Outcome;
  code: ReportCode;
  /** How the report goes on after the name: "became an alert (NOTE)". */
  what: string;
  /** What must not change by accident: its opening line if its content is Markdown, else all of it. */
  source: string;
}

/** A search for the end of a block that fails reads the whole text, so only some may. */
export interface Searches {
  left: number;
  /** Names of tags that have no end in these lines. */
  unpaired: WeakMap<readonly SourceLine[], Set<string>>;
}

/** Where a block is read: the lines around it, and how its content is read in turn. */
export interface Place {
  lines: readonly SourceLine[];
  index: number;
  /** In a list, a quote or another box, where a heading would break the text. */
  inside: boolean;
  /** In an item of a list among these lines: its indent has a meaning. */
  inItem: boolean;
  /** The level of the heading above, 0 without one. */
  heading: number;
  /** The text has MyST markup, so `%` and `+++` at the start of a line are MyST's. */
  isMyst: boolean;
  searches: Searches;
  add(construct: Construct): void;
  /** Maps the dialects in the content of a box. */
  convert(lines: readonly SourceLine[]): SourceLine[];
}

/** A block that was recognized: its lines end before `end`, and `out` replaces them. */
export interface Block {
  end: number;
  out: SourceLine[];
}
