import type { Heading, Root } from "mdast";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import type { DeclaredChange } from "./declared-changes.ts";
import type { FileFacts } from "./facts.ts";
import type { Edit, Fix, Place, Position, Severity } from "./finding.ts";
import type { Outline } from "./outline.ts";
import type { LintSettings, SomeSettings } from "./settings.ts";
import type { Visitor } from "./walk.ts";

/** The server's fields in a file: the values it wrote last. */
export interface ServerOwned {
  sop?: string;
  id?: string;
  version?: number;
}

export interface RuleContext {
  /** The whole file. */
  readonly text: string;
  readonly path: string;
  /** The body's tree; positions count in the whole file. */
  readonly tree: Root;
  readonly outline: Outline;
  /** The front matter as written, or null. Values are not checked. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** The place of the front matter's key, or of its whole block; the first character where there is none. */
  placeOf(key?: keyof FrontMatter): Place;
  readonly base: ServerOwned | undefined;
  readonly settings: LintSettings;
  /** Front matter that has to be there, and sections, by the preset. */
  readonly required: readonly (keyof FrontMatter)[];
  readonly sections: readonly string[];
  readonly isEnglish: boolean;
  /** Templates hold placeholders on purpose. */
  readonly isTemplate: boolean;
  report(message: string, place: Place, fix?: Fix): void;
}

/** The facts for rules across several files. */
export interface AcrossContext {
  readonly file: FileFacts;
  /** Every file's facts by path. */
  readonly files: ReadonlyMap<string, FileFacts>;
  /** Paths by the files' own names: `sop` and `id`. */
  readonly named: ReadonlyMap<string, readonly string[]>;
  readonly settings: LintSettings;
  readonly surroundings: Surroundings;
  report(message: string, at: Position, fix?: Fix): void;
}

export interface Surroundings {
  /** `YYYY-MM-DD`; without it nothing is overdue. */
  today?: string;
  /** Is there a file or folder of this path? Without it, only links between Markdown files are judged. */
  exists?: (path: string) => boolean;
  /** What is known of an SOP beyond the files, by its number or id; undefined: nothing. */
  sops?: (to: string) => "there" | "archived" | "unknown" | undefined;
  /** The files are all there are: a number that none of them has does not exist. */
  complete?: boolean;
}

/** One check. Its examples are its documentation (`--explain`, docs/rules.md) and its tests. */
export interface Rule {
  id: string;
  severity: Severity;
  fixable: "safe" | "unsafe" | "no";
  /** What its safe fixes change in the syntax tree. Without it, nothing: any other fix counts as suggested. */
  declares?: DeclaredChange;
  /** The standard it comes from (`docs/rules.md`). */
  source: string;
  /** Why it matters, one sentence. */
  why: string;
  /** It reads English words: other languages turn it off. */
  english?: true;
  create?(context: RuleContext): Visitor;
  /** A check of one file among others; it sees facts, not texts. */
  across?(context: AcrossContext): void;
  /** The surroundings of the examples. */
  setting?: ExampleSetting;
  good: readonly string[];
  bad: readonly BadExample[];
}

export type PresetName = "minimal" | "recommended" | "regulated";

export interface ExampleSetting {
  path?: string;
  settings?: SomeSettings;
  /** Another than `recommended`. */
  preset?: PresetName;
  base?: ServerOwned;
  /** Other files, by path. */
  others?: Readonly<Record<string, string>>;
  today?: string;
}

export interface BadExample {
  text: string;
  /** The lines of the findings. */
  lines: readonly number[];
  /** The text after the fixes. */
  fixed?: string;
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
