import type { MessageWithId } from "#core/language/catalog.ts";
import type { ReportCode } from "#core/import/markdown/report.ts";
import type { SourceLine } from "../text/lines.ts";

export type ForeignDialect =
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
 * `mapped`: the construct became plain Markdown. `kept`: its text is unchanged, in place or in a fenced block that
 * names its dialect. `reported`: it stays as text, because it has no end or is inside code.
 */
export type ConstructOutcome = "mapped" | "kept" | "reported";

/** Markup of another tool that plain Markdown doesn't know. */
export interface Construct {
  dialect: ForeignDialect;
  /** The shortest recognizable form: `!!! warning`, `{toctree}`, `{{< ref >}}`. */
  name: string | MessageWithId;
  /** The construct's first line in the file (1-based). */
  line: number;
  outcome: ConstructOutcome;
  code: ReportCode;
  /** The text of the report after the construct's name: "became an alert (NOTE)". */
  what: MessageWithId;
  /**
   * The text that must not change by accident: the opening line if the content is Markdown, else the whole construct.
   */
  source: string;
}

/** Limits failed searches for the end of a block, because each of them reads the whole text. */
export interface FailedSearchLimit {
  left: number;
  /** Names of tags without an end in these lines. */
  unpaired: WeakMap<readonly SourceLine[], Set<string>>;
}

/** The lines in which a block is read, facts about its surroundings, and the function that converts its content. */
export interface ConstructPlace {
  lines: readonly SourceLine[];
  index: number;
  /** True in a list, a quote or another box, where a heading would break the text. */
  inside: boolean;
  /** True in a list item among these lines, where the block's indent has a meaning. */
  inItem: boolean;
  /** The level of the heading above; 0 without one. */
  heading: number;
  /** True if the text has MyST markup, so that `%` and `+++` at the start of a line have MyST's meaning. */
  isMyst: boolean;
  searches: FailedSearchLimit;
  add(construct: Construct): void;
  /** Converts the constructs in the content of a box. */
  convert(lines: readonly SourceLine[]): SourceLine[];
}

/** A recognized block. Its lines end before `end` and are replaced by `out`. */
export interface RecognizedBlock {
  end: number;
  out: SourceLine[];
}
