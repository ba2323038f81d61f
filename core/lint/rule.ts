import type { Heading, Root } from "mdast";
import type { MessageWithId } from "#core/language/catalog.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import type { DeclaredChange } from "./declared-changes.ts";
import type { FileFacts } from "./facts.ts";
import type { TextEdit, Fix, FindingPlace, Position, Severity } from "./finding.ts";
import type { Outline } from "./outline.ts";
import type { LintSettings, SomeSettings } from "./settings.ts";
import type { Visitor } from "./walk.ts";

/** The values that the server last wrote into the fields of a file that it owns; absent if not known. */
export interface ServerOwned {
  sop?: string;
  id?: string;
  version?: number;
}

export interface RuleContext {
  /** The text of the whole file. */
  readonly text: string;
  readonly path: string;
  /** The syntax tree of the body. Positions refer to the whole file. */
  readonly tree: Root;
  readonly outline: Outline;
  /** The front matter as written, with unchecked values; null without front matter. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** The place of a key in the front matter, or of the whole front matter; the first character of a file without it. */
  placeOf(key?: keyof FrontMatter): FindingPlace;
  /** The values that the server wrote last; undefined if they are not known. */
  readonly base: ServerOwned | undefined;
  readonly settings: LintSettings;
  /** Keys and sections that the preset requires. */
  readonly required: readonly (keyof FrontMatter)[];
  readonly sections: readonly string[];
  readonly isEnglish: boolean;
  /** True for a template, in which placeholders are allowed. */
  readonly isTemplate: boolean;
  report(message: MessageWithId, place: FindingPlace, fix?: Fix): void;
}

/** The facts for rules across several files. */
export interface AcrossContext {
  readonly file: FileFacts;
  /** Every file's facts by path. */
  readonly files: ReadonlyMap<string, FileFacts>;
  /** Paths of files by the number (`sop`) and the `id` in them. */
  readonly named: ReadonlyMap<string, readonly string[]>;
  readonly settings: LintSettings;
  readonly surroundings: LintContext;
  report(message: MessageWithId, at: Position, fix?: Fix): void;
}

export interface LintContext {
  /** Today as `YYYY-MM-DD`; absent: no review counts as overdue. */
  today?: string;
  /** Tells whether a file or folder exists. If absent, only links between Markdown files are checked. */
  exists?: (path: string) => boolean;
  /** Looks up an SOP outside of the files by its number or id. Undefined if nothing is known about SOPs there. */
  sops?: (to: string) => "there" | "archived" | "unknown" | undefined;
  /** True if the files contain all SOPs, so that a number without a file doesn't exist. */
  complete?: boolean;
}

/** One check. Its examples serve as documentation (`--explain`, docs/rules.md) and as tests. */
export interface Rule {
  id: string;
  severity: Severity;
  fixable: "safe" | "unsafe" | "no";
  /**
   * The changes that the rule's safe fixes make in the syntax tree. Absent: none, so a fix that changes the tree counts
   * as suggested.
   */
  declares?: DeclaredChange;
  /** The standard that requires the rule, for `docs/rules.md`. */
  source: string;
  /** The reason for the rule, in one sentence. */
  why: MessageWithId;
  /** True for a rule that needs English text. Other languages turn it off. */
  english?: true;
  create?(context: RuleContext): Visitor;
  /** Checks one file against the other files, by their facts. */
  across?(context: AcrossContext): void;
  /** The options and neighboring files for the examples. */
  setting?: ExampleSetting;
  good: readonly string[];
  bad: readonly BadExample[];
}

export type PresetName = "minimal" | "recommended" | "regulated";

export interface ExampleSetting {
  path?: string;
  settings?: SomeSettings;
  /** The preset, if it isn't `recommended`. */
  preset?: PresetName;
  base?: ServerOwned;
  /** Other files of the example, by path. */
  others?: Readonly<Record<string, string>>;
  today?: string;
}

export interface BadExample {
  text: string;
  /** The lines on which findings are expected. */
  lines: readonly number[];
  /** The expected text after the fixes. */
  fixed?: string;
}

/** The edit that changes the depth of a heading, in either of its two written forms. */
export function headingDepthEdit(text: string, heading: Heading, depth: number): TextEdit {
  const start = heading.position?.start.offset ?? 0;
  const end = heading.position?.end.offset ?? 0;
  if (text[start] === "#") return { start, end: start + heading.depth, text: "#".repeat(depth) };
  const title = text
    .slice(start, end)
    .replace(/\n[ \t>]*[=-]+[ \t]*$/, "")
    .replace(/[ \t]*\n[ \t]*/g, " ");
  return { start, end, text: `${"#".repeat(depth)} ${title}` };
}
