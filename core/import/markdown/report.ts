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
  | "styles"
  | "html"
  | "image"
  | "link"
  | "macro"
  | "encoding";

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

/**
 * The notes of a conversion and of the import that follows it. The import reads the converted text, so its notes on
 * dialects repeat the first ones, with lines of that text.
 */
export function joinNotes<Note extends { code: string }>(
  converted: readonly Note[],
  imported: readonly Note[],
): Note[] {
  const isSaid = converted.some(({ code }) => dialectCodes.has(code));
  return [...converted, ...imported.filter(({ code }) => !isSaid || !dialectCodes.has(code))];
}

/** A note on one line, with its place. */
export function noteText({ message, line }: { message: string; line?: number | undefined }): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
