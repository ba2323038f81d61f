import type { ChangeKind } from "#core/faithful/compare.ts";

/** One line of an import report: the mapped or kept markup, and its line in the file (1-based). */
export interface ReportLine {
  path: string;
  line?: number;
  code: ReportCode;
  message: string;
}

export type ReportCode =
  | "byte-order-mark"
  | "line-endings"
  | "unicode"
  | "header-block"
  | "front-matter"
  | "title"
  | "description"
  | "first-heading"
  | "headings"
  | "admonition"
  | "lettered-steps"
  | "attribute-list"
  | "template-tag"
  | "grid-table"
  | "raw-html"
  | "tabs"
  | "snippet"
  | "definition-list"
  | "abbreviation"
  | "directive"
  | "role"
  | "target"
  | "shortcode"
  | "component"
  | "markup"
  | "comment"
  | "count"
  | "tracked-changes"
  | "comments"
  | "left-out"
  | "figures"
  | "styles"
  | "html"
  | "image"
  | "link"
  | "macro"
  | "encoding"
  /** The check under each conversion found it: no other note names it. */
  | `changed-${ChangeKind}`;

/** Collects the report of one file. */
export interface Report {
  add(code: ReportCode, message: string, line?: number): void;
  readonly lines: ReportLine[];
}

export function createReport(path: string): Report {
  const lines: ReportLine[] = [];
  return {
    lines,
    add(code, message, line) {
      lines.push({ path, ...(line === undefined ? {} : { line }), code, message });
    },
  };
}

/** The lines of the file that have a note. */
export function namedLines({ lines }: Report): ReadonlySet<number> {
  return new Set(lines.flatMap(({ line }) => (line === undefined ? [] : [line])));
}

/** "1 table", "3 tables". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Codes of constructs of other tools. */
const dialectCodes: ReadonlySet<string> = new Set<ReportCode>([
  "admonition",
  "attribute-list",
  "template-tag",
  "grid-table",
  "raw-html",
  "tabs",
  "snippet",
  "definition-list",
  "abbreviation",
  "directive",
  "role",
  "target",
  "shortcode",
  "component",
  "markup",
  "comment",
]);

interface Note {
  code: string;
  message: string;
  line?: number | undefined;
}

/**
 * The notes of a conversion and of the import that follows it. The import reads the converted text, so its notes on
 * dialects repeat the first ones, and its lines are those of that text: a note has the line of the construct it names.
 */
export function joinNotes<Kind extends Note>(converted: readonly Kind[], imported: readonly Kind[]): Kind[] {
  const isSaid = converted.some(({ code }) => dialectCodes.has(code));
  const own = imported.filter(({ code }) => !isSaid || !dialectCodes.has(code));
  const left = [...converted];
  return [
    ...converted,
    ...own.map((note) => {
      if (note.code !== "count") return note;
      const name = note.message.replace(/ (?:became code|is written)[^]*$/, "");
      const at = left.findIndex(({ message }) => message.startsWith(`${name} `));
      const [first] = at === -1 ? [] : left.splice(at, 1);
      return first?.line === undefined ? note : { ...note, line: first.line };
    }),
  ];
}

/** A note on one line, with its place. */
export function noteText({ message, line }: { message: string; line?: number | undefined }): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
