import type { ChangeKind } from "#core/faithful/compare.ts";
import { placeText } from "#core/links/link-lines.ts";

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
  | "list-numbers"
  | "labels"
  | "line-ends"
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
  | "table-cells"
  | "control-characters"
  | "form"
  | "formula"
  | "hidden"
  | "language"
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

/** The lines of the file with a note on a change of their words. Other notes say nothing about the words of their line. */
export function namedLines({ lines }: Report): Set<number> {
  const isOfWords = ({ code, message }: ReportLine): boolean =>
    (dialectCodes.has(code) || wordCodes.has(code)) && !message.includes("is kept as written");
  return new Set(lines.flatMap((note) => (note.line === undefined || !isOfWords(note) ? [] : [note.line])));
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

/** Other codes of notes that name changed words. */
const wordCodes: ReadonlySet<string> = new Set<ReportCode>([
  "count",
  "control-characters",
  "first-heading",
  "image",
  "lettered-steps",
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

/** What constructs of other tools become, and how a note on several of them begins. */
const outcomes: readonly [says: RegExp, together: string][] = [
  [/^(.+) is kept as written$/, "kept as written"],
  [/^(.+) in code is kept as written$/, "kept as written in code"],
  [/^(.+) loses its tags in views$/, "without their tags in views"],
  [/^(.+) (became (?:an alert \(\w+\)|a details block|HTML|a link|a list))$/, ""],
  [/^(.+) is (kept (?:in a block of \w+|as a block of) code)$/, ""],
];
const placesAtMost = 12;

/** Notes with equal words are one, with all lines. So are notes on constructs of one kind that become the same. */
export function groupNotes<Kind extends Note>(notes: readonly Kind[]): (Kind & { lines: number[] })[] {
  const groups = Map.groupBy(notes, ({ code, message }) => `${code} ${outcomeOf(message)?.together ?? message}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const names = Map.groupBy(same, ({ message }) => outcomeOf(message)?.name ?? "");
    if (names.size < 2) return [{ ...first, lines: linesOf(same) }];
    const places = [...names].slice(0, placesAtMost).map(([name, notes]) => placeText(name, linesOf(notes)));
    const more = names.size > placesAtMost ? ` and ${names.size - placesAtMost} more` : "";
    const message = `${outcomeOf(first.message)?.together ?? ""}: ${places.join(", ")}${more}`;
    return [{ ...first, message, lines: linesOf(same).slice(0, 1) }];
  });
}

function outcomeOf(message: string): { name: string; together: string } | undefined {
  for (const [says, together] of outcomes.toReversed()) {
    const [, name, own = ""] = says.exec(message) ?? [];
    if (name !== undefined) return { name, together: together || own };
  }
  return undefined;
}

function linesOf(notes: readonly Note[]): number[] {
  return [...new Set(notes.flatMap(({ line }) => (line === undefined ? [] : [line])))];
}

/** One text for each kind of note, with its places. */
export function noteTexts(notes: readonly Note[]): string[] {
  return groupNotes(notes).map(({ message, lines }) =>
    lines.length === 0 ? message : `line ${lines.join(", ")}: ${message}`,
  );
}

/** What notes on the text are about, the worst first. Other codes of constructs are words already. */
const nouns: Partial<Record<ReportCode, [one: string, many: string]>> = {
  link: ["link that leads nowhere", "links that lead nowhere"],
  image: ["image", "images"],
  "left-out": ["part left out", "parts left out"],
  "tracked-changes": ["note on tracked changes", "notes on tracked changes"],
  comments: ["note on comments", "notes on comments"],
  html: ["change of HTML", "changes of HTML"],
  "raw-html": ["element of HTML", "elements of HTML"],
  snippet: ["included file", "included files"],
  tabs: ["group of tabs", "groups of tabs"],
  markup: ["piece of markup", "pieces of markup"],
  styles: ["note on styles", "notes on styles"],
  "lettered-steps": ["list with letters", "lists with letters"],
  count: ["rewritten tag", "rewritten tags"],
  macro: ["macro", "macros"],
  figures: ["note on figures", "notes on figures"],
  "changed-words": ["note on changed words", "notes on changed words"],
  "changed-spaces": ["note on changed spaces", "notes on changed spaces"],
  "changed-list-number": ["note on changed list numbers", "notes on changed list numbers"],
  "changed-list-level": ["note on changed levels of lists", "notes on changed levels of lists"],
  "changed-code": ["note on changed code", "notes on changed code"],
  "changed-strike": ["note on struck words", "notes on struck words"],
  "changed-markup": ["note on markup seen as text", "notes on markup seen as text"],
};

/** "3 links that lead nowhere, 1 directive": what notes change or leave out; empty if they change no text. */
export function notesSummary(notes: readonly Note[]): string {
  const counts = new Map<string, number>();
  for (const { code, message } of notes) {
    // a comment of HTML shows nowhere
    const isOfText = dialectCodes.has(code) || Object.hasOwn(nouns, code) || code.startsWith("changed-");
    if (!isOfText || message.startsWith("<!--")) continue;
    // one note names several links
    const several = code === "link" || code === "image" ? /^(\d+) /.exec(message)?.[1] : undefined;
    counts.set(code, (counts.get(code) ?? 0) + Number(several ?? 1));
  }
  const order = Object.keys(nouns);
  const place = (code: string) => (order.includes(code) ? order.indexOf(code) : order.length);
  return [...counts]
    .toSorted(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
    .map(([code, count]) => {
      const [one, many] = nouns[code as ReportCode] ?? [code.replaceAll("-", " "), `${code.replaceAll("-", " ")}s`];
      return counted(count, one, many);
    })
    .join(", ");
}
