import type { ConversionChangeKind } from "#core/faithful/compare.ts";
import type { MessageWithId } from "#core/language/catalog.ts";

/** One line of an import report: the mapped or kept markup, and its line in the file (1-based). */
export interface ReportLine {
  path: string;
  line?: number;
  code: ReportCode;
  message: string;
  /** The message with its id; only notes that can be refusals have it. */
  sentence?: MessageWithId;
  /** The known key whose value can't be read; only notes with the code `unread-key` have it. */
  key?: string;
}

export type ReportCode =
  | "byte-order-mark"
  | "line-endings"
  | "unicode"
  | "header-block"
  | "front-matter"
  /** A known key whose value can't be read, so it has no effect. */
  | "unread-key"
  /** A known key whose value is too long, so only its beginning counts. */
  | "cut-key"
  /** A category that can't be read. Only the import of a new SOP needs it. */
  | "unread-category"
  | "title"
  /** The file has no title, so its name became the title. */
  | "title-from-name"
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
  /** A change that the check after each conversion found, and that no other note names. */
  | `changed-${ConversionChangeKind}`;

/** Collects the report of one file. */
export interface ConversionReport {
  add(code: ReportCode, message: string | MessageWithId, line?: number, key?: string): void;
  readonly lines: ReportLine[];
}

export function createReport(path: string): ConversionReport {
  const lines: ReportLine[] = [];
  return {
    lines,
    add(code, message, line, key) {
      lines.push({
        path,
        ...(line === undefined ? {} : { line }),
        code,
        ...(typeof message === "string" ? { message } : { message: message.text, sentence: message }),
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
  "near-sop",
];

/**
 * Tells whether a note is about a value or folder that has no effect as written, or about an SOP that a new one is near
 * to. Such notes are always shown.
 */
export function isAboutFacts({ code }: { code: string }): boolean {
  return factCodes.includes(code);
}

/** The lines of the file with a note on changed words. Other notes don't explain changed words of their line. */
export function namedLines({ lines }: ConversionReport): Set<number> {
  const isOfWords = ({ code, message }: ReportLine): boolean =>
    (dialectCodes.has(code) || wordCodes.has(code)) && !message.includes("is kept as written");
  return new Set(lines.flatMap((note) => (note.line === undefined || !isOfWords(note) ? [] : [note.line])));
}

/** Counts with a noun: "1 table", "3 tables". */
export function countAndNoun(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Codes of notes on constructs of other tools. */
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

/** Codes of other notes that report changed words. */
const wordCodes: ReadonlySet<string> = new Set<ReportCode>([
  "count",
  "control-characters",
  "first-heading",
  "image",
  "lettered-steps",
]);

interface ReportedNote {
  code: string;
  message: string;
  line?: number | undefined;
}

/**
 * Joins the notes of a conversion and of the import after it. The import reads the converted text. So its notes on
 * dialects repeat the first ones and are dropped, and a note gets the line of the construct that it names.
 */
export function joinNotes<Kind extends ReportedNote>(converted: readonly Kind[], imported: readonly Kind[]): Kind[] {
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

/** Codes of notes that every import has. They report no loss, so they come last. */
const usual: ReadonlySet<string> = new Set<ReportCode>(["title", "title-from-name", "description", "first-heading"]);
const placesAtMost = 10;

/**
 * Joins the notes of each kind into one with all places, in the order of the text. Notes that every import has come
 * last.
 */
export function notesByKind(notes: readonly ReportedNote[]): ReportedNote[] {
  const kinds: [ReportedNote, ...ReportedNote[]][] = [];
  for (const note of notes) {
    const own = kinds.find(([first]) => isSameKind(first, note));
    if (own === undefined) kinds.push([note]);
    else own.push(note);
  }
  const sortOrder = ({ code, line = 0 }: ReportedNote) => (usual.has(code) ? Infinity : line);
  return kinds.map(joinPlaces).toSorted((a, b) => (sortOrder(a) === sortOrder(b) ? 0 : sortOrder(a) - sortOrder(b)));
}

/** One text for each kind of note, with its places. */
export function noteTexts(notes: readonly ReportedNote[]): string[] {
  return notesByKind(notes).map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`));
}

/** Joins the notes of a kind: the first message is complete, and further places add only the words that differ. */
function joinPlaces(notes: readonly [ReportedNote, ...ReportedNote[]]): ReportedNote {
  const [first] = notes;
  const also = noteLinesText(notes.slice(1).filter(({ message }) => message === first.message));
  const others = Map.groupBy(notes, ({ message }) => message);
  others.delete(first.message);
  const more = [...others].map(([message, equal]) => {
    const lines = noteLinesText(equal);
    const words = messageWords(message).slice(...differingWordRange(first.message, message));
    return (lines === "" ? "" : `${lines}: `) + words.join(" ");
  });
  const left = more.length - placesAtMost;
  const places = [...more.slice(0, placesAtMost), ...(left > 0 ? [`and ${left} more`] : [])];
  return { ...first, message: [first.message + (also === "" ? "" : ` (also in ${also})`), ...places].join("; ") };
}

function noteLinesText(notes: readonly ReportedNote[]): string {
  const lines = new Set(notes.flatMap(({ line }) => line ?? []));
  return lines.size === 0 ? "" : `line ${[...lines].join(", ")}`;
}

/** The words of a message. Text in quotes, braces or angle brackets counts as one word. */
const messageWords = (message: string): string[] => message.match(/"[^"]*"|“[^”]*”|\{\{?[^}]*\}+|<[^<>]+>|\S+/g) ?? [];

/** Notes of one kind share most of their words. */
function isSameKind(one: ReportedNote, other: ReportedNote): boolean {
  if (one.code !== other.code) return false;
  if (one.message === other.message) return true;
  const [words, others] = [messageWords(one.message), messageWords(other.message)];
  const [from, to] = differingWordRange(one.message, other.message);
  const between = words.length === others.length ? words.filter((word, at) => word !== others[at]).length : to - from;
  return between * 2 <= others.length;
}

/** The range of words in which `message` differs from another message. */
function differingWordRange(other: string, message: string): [from: number, to: number] {
  const [words, others] = [messageWords(other), messageWords(message)];
  const most = Math.min(words.length, others.length);
  let from = 0;
  while (from < most && words[from] === others[from]) from += 1;
  let same = 0;
  while (same < most - from && words.at(-1 - same) === others.at(-1 - same)) same += 1;
  return [from, others.length - same];
}

/** Nouns for the summary of notes, the worst first. Other codes of constructs are nouns themselves. */
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

/**
 * Summarizes what notes change or leave out: "3 links that lead nowhere, 1 directive"; empty if they change no text.
 */
export function notesSummary(notes: readonly ReportedNote[]): string {
  const counts = new Map<string, number>();
  for (const { code, message } of notes) {
    // an HTML comment is never shown
    const isOfText = dialectCodes.has(code) || Object.hasOwn(nouns, code) || code.startsWith("changed-");
    if (!isOfText || message.startsWith("<!--")) continue;
    // a note can name several links
    const several = code === "link" || code === "image" ? /^(\d+) /.exec(message)?.[1] : undefined;
    counts.set(code, (counts.get(code) ?? 0) + Number(several ?? 1));
  }
  const order = Object.keys(nouns);
  const positionOfCode = (code: string) => (order.includes(code) ? order.indexOf(code) : order.length);
  return [...counts]
    .toSorted(([a], [b]) => positionOfCode(a) - positionOfCode(b) || (a < b ? -1 : 1))
    .map(([code, count]) => {
      const [one, many] = nouns[code as ReportCode] ?? [code.replaceAll("-", " "), `${code.replaceAll("-", " ")}s`];
      return countAndNoun(count, one, many);
    })
    .join(", ");
}
