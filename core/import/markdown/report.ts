import type { ChangeKind } from "#core/faithful/compare.ts";

/** One line of an import report: the mapped or kept markup, and its line in the file (1-based). */
export interface ReportLine {
  path: string;
  line?: number;
  code: ReportCode;
  message: string;
  /** Our key whose value can't be read. Only notes with the code `unread-key` have it. */
  key?: string;
}

export type ReportCode =
  | "byte-order-mark"
  | "line-endings"
  | "unicode"
  | "header-block"
  | "front-matter"
  /** A known key whose value can't be read: it has no effect. */
  | "unread-key"
  /** A known key whose value is too long: its beginning counts. */
  | "cut-key"
  /** A category that can't be read: only the import of a new SOP needs it. */
  | "unread-category"
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
  add(code: ReportCode, message: string, line?: number, key?: string): void;
  readonly lines: ReportLine[];
}

export function createReport(path: string): Report {
  const lines: ReportLine[] = [];
  return {
    lines,
    add(code, message, line, key) {
      lines.push({
        path,
        ...(line === undefined ? {} : { line }),
        code,
        message,
        ...(key === undefined ? {} : { key }),
      });
    },
  };
}

const factCodes = [
  "unread-key",
  "cut-key",
  "ignored-key",
  "unread-category",
  "category-unknown",
  "number-new",
  "owner-unknown",
  "team-unknown",
  "other-folder",
];

/** Is the note about a value or a folder that doesn't count as it is written? People see these in any case. */
export function isAboutFacts({ code }: { code: string }): boolean {
  return factCodes.includes(code);
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

/** Notes that each import has. They say nothing of a loss, so they come last. */
const usual: ReadonlySet<string> = new Set<ReportCode>(["title", "description", "first-heading"]);
const placesAtMost = 10;

/** One note for each kind, with all its places: those of a text in their order, and those that each import has last. */
export function notesByKind(notes: readonly Note[]): Note[] {
  const kinds: [Note, ...Note[]][] = [];
  for (const note of notes) {
    const own = kinds.find(([first]) => isSameKind(first, note));
    if (own === undefined) kinds.push([note]);
    else own.push(note);
  }
  const order = ({ code, line = 0 }: Note) => (usual.has(code) ? Infinity : line);
  return kinds.map(joinPlaces).toSorted((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
}

/** One text for each kind of note, with its places. */
export function noteTexts(notes: readonly Note[]): string[] {
  return notesByKind(notes).map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`));
}

/** The first place of a kind says all, the others say what differs there. */
function joinPlaces(notes: readonly [Note, ...Note[]]): Note {
  const [first] = notes;
  const also = linesOf(notes.slice(1).filter(({ message }) => message === first.message));
  const others = Map.groupBy(notes, ({ message }) => message);
  others.delete(first.message);
  const more = [...others].map(([message, equal]) => {
    const lines = linesOf(equal);
    const words = wordsOf(message).slice(...difference(first.message, message));
    return (lines === "" ? "" : `${lines}: `) + words.join(" ");
  });
  const left = more.length - placesAtMost;
  const places = [...more.slice(0, placesAtMost), ...(left > 0 ? [`and ${left} more`] : [])];
  return { ...first, message: [first.message + (also === "" ? "" : ` (also in ${also})`), ...places].join("; ") };
}

function linesOf(notes: readonly Note[]): string {
  const lines = new Set(notes.flatMap(({ line }) => line ?? []));
  return lines.size === 0 ? "" : `line ${[...lines].join(", ")}`;
}

/** Its words; what stands in quotes, braces or angle brackets is one. */
const wordsOf = (message: string): string[] => message.match(/"[^"]*"|“[^”]*”|\{\{?[^}]*\}+|<[^<>]+>|\S+/g) ?? [];

/** Notes of one kind share most of their words. */
function isSameKind(one: Note, other: Note): boolean {
  if (one.code !== other.code) return false;
  if (one.message === other.message) return true;
  const [words, others] = [wordsOf(one.message), wordsOf(other.message)];
  const [from, to] = difference(one.message, other.message);
  const between = words.length === others.length ? words.filter((word, at) => word !== others[at]).length : to - from;
  return between * 2 <= others.length;
}

/** Where a message differs from that of another note: a range of its words. */
function difference(other: string, message: string): [from: number, to: number] {
  const [words, others] = [wordsOf(other), wordsOf(message)];
  const most = Math.min(words.length, others.length);
  let from = 0;
  while (from < most && words[from] === others[from]) from += 1;
  let same = 0;
  while (same < most - from && words.at(-1 - same) === others.at(-1 - same)) same += 1;
  return [from, others.length - same];
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
