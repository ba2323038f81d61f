import type { ConversionChangeKind } from "#core/faithful/compare.ts";
import { texts as constructTexts } from "#core/dialects/texts.ts";
import type { Reason } from "#core/errors.ts";
import {
  catalog,
  isSentence,
  messageAndReasonOf,
  sentenceOfMessage,
  spokenText,
  type Sentence,
} from "#core/language/catalog.ts";

const texts = catalog("core.import.notes", {
  line: "line {lines}",
  at: "{place}: {message}",
  also: "{message} (also in {places})",
  more: "and {left} more",
});

/** A note of an import report: the converted or kept markup, and its line in the file, from 1. */
export interface ReportLine {
  path: string;
  line?: number;
  code: ReportCode;
  message: string;
  /** The sentence of `message`, so that a client can translate it. */
  reason?: Reason;
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
  /** A change that the check after a conversion found and that no other note explains. */
  | `changed-${ConversionChangeKind}`;

/** Collects the report of one file. */
export interface ConversionReport {
  add(code: ReportCode, message: Sentence, line?: number, key?: string): void;
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
        ...(message.id === undefined ? { message: message.text } : messageAndReasonOf(message)),
        ...(key === undefined ? {} : { key }),
      });
    },
  };
}

/** Returns a note without the path of its file, for answers and import plans. */
export const noteInFile = <Code extends string>({ code, line, message, reason }: ReportedNote & { code: Code }) => ({
  code,
  message,
  ...(line !== undefined && { line }),
  ...(reason && { reason }),
});

const alwaysShownCodes = [
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
  "same-text",
];

/**
 * Tells whether a note must always be shown, because it is about a value or folder without effect, or about another SOP
 * similar to a file.
 */
export function isAlwaysShown({ code }: { code: string }): boolean {
  return alwaysShownCodes.includes(code);
}

/** Returns the lines with a note that explains changed words, so that the change isn't reported again. */
export function linesWithNotedWordChanges({ lines }: ConversionReport): Set<number> {
  const isOfWords = (note: ReportLine): boolean =>
    (dialectCodes.has(note.code) || wordCodes.has(note.code)) && !isKeptAsWritten(note);
  return new Set(lines.flatMap((note) => (note.line === undefined || !isOfWords(note) ? [] : [note.line])));
}

/** Tells whether a note is about a construct that stays unchanged in its place, as text or inside code. */
export function isKeptAsWritten({ reason }: { reason?: Reason | undefined }): boolean {
  const what = reason?.values["what"];
  return isSentence(what) && [constructTexts.kept().id, constructTexts.keptInCode().id].includes(what.id);
}

/** Returns the name of the construct in a note as it is written in the file; undefined for other notes. */
export function constructNameOf({ reason }: { reason?: Reason | undefined }): string | undefined {
  const name = reason?.values["name"];
  return typeof name === "string" ? name : undefined;
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
  reason?: Reason | undefined;
}

/**
 * Joins the notes of a conversion with those of the import of the converted text. Notes on dialects that the import
 * repeats are dropped, and a note without a line gets the line of the construct that it names.
 */
export function mergedNotes<Kind extends ReportedNote>(converted: readonly Kind[], imported: readonly Kind[]): Kind[] {
  const isSaid = converted.some(({ code }) => dialectCodes.has(code));
  const own = imported.filter(({ code }) => !isSaid || !dialectCodes.has(code));
  const left = [...converted];
  return [
    ...converted,
    ...own.map((note) => {
      if (note.code !== "count") return note;
      const name = constructNameOf(note);
      const at = name === undefined ? -1 : left.findIndex((other) => constructNameOf(other) === name);
      const [first] = at === -1 ? [] : left.splice(at, 1);
      return first?.line === undefined ? note : { ...note, line: first.line };
    }),
  ];
}

/** Codes of notes that almost every import has. They report no loss, so they come last. */
const usual: ReadonlySet<string> = new Set<ReportCode>(["title", "title-from-name", "description", "first-heading"]);
const placesAtMost = 10;

/**
 * Joins the notes of each kind into one note with all lines, in the order of the text. Notes of almost every import
 * come last.
 */
export function notesByKind(notes: readonly ReportedNote[]): ReportedNote[] {
  const kinds: [ReportedNote, ...ReportedNote[]][] = [];
  for (const { code, line, ...said } of notes) {
    const note = { code, line, message: spokenText(sentenceOfMessage(said)) };
    const own = kinds.find(([first]) => isSameKind(first, note));
    if (own === undefined) kinds.push([note]);
    else own.push(note);
  }
  const sortOrder = ({ code, line = 0 }: ReportedNote) => (usual.has(code) ? Infinity : line);
  return kinds
    .map(noteWithAllLines)
    .toSorted((a, b) => (sortOrder(a) === sortOrder(b) ? 0 : sortOrder(a) - sortOrder(b)));
}

/** Returns one text for each kind of note, with the lines of all notes of the kind. */
export function noteTexts(notes: readonly ReportedNote[]): string[] {
  return notesByKind(notes).map(({ message, line }) =>
    line === undefined ? message : texts.at({ place: texts.line({ lines: line }), message }),
  );
}

/** Joins notes of one kind: the first message is complete, and further lines add only the words that differ. */
function noteWithAllLines(notes: readonly [ReportedNote, ...ReportedNote[]]): ReportedNote {
  const [first] = notes;
  const also = noteLinesText(notes.slice(1).filter(({ message }) => message === first.message));
  const others = Map.groupBy(notes, ({ message }) => message);
  others.delete(first.message);
  const more = [...others].map(([message, equal]) => {
    const lines = noteLinesText(equal);
    const words = messageWords(message).slice(...differingWordRange(first.message, message));
    return lines === "" ? words.join(" ") : texts.at({ place: lines, message: words.join(" ") });
  });
  const left = more.length - placesAtMost;
  const places = [...more.slice(0, placesAtMost), ...(left > 0 ? [texts.more({ left })] : [])];
  const said = also === "" ? first.message : texts.also({ message: first.message, places: also });
  return { ...first, message: [said, ...places].join("; ") };
}

function noteLinesText(notes: readonly ReportedNote[]): string {
  const lines = new Set(notes.flatMap(({ line }) => line ?? []));
  return lines.size === 0 ? "" : texts.line({ lines: [...lines].join(", ") });
}

/** Splits a message into words. Text in quotes, braces or angle brackets counts as one word. */
const messageWords = (message: string): string[] => message.match(/"[^"]*"|“[^”]*”|\{\{?[^}]*\}+|<[^<>]+>|\S+/g) ?? [];

/** Tells whether two notes are of one kind: most of their words are equal. */
function isSameKind(one: ReportedNote, other: ReportedNote): boolean {
  if (one.code !== other.code) return false;
  if (one.message === other.message) return true;
  const [words, others] = [messageWords(one.message), messageWords(other.message)];
  const [from, to] = differingWordRange(one.message, other.message);
  const between = words.length === others.length ? words.filter((word, at) => word !== others[at]).length : to - from;
  return between * 2 <= others.length;
}

/** Returns the range of words in which `message` differs from another message. */
function differingWordRange(other: string, message: string): [from: number, to: number] {
  const [words, others] = [messageWords(other), messageWords(message)];
  const most = Math.min(words.length, others.length);
  let from = 0;
  while (from < most && words[from] === others[from]) from += 1;
  let same = 0;
  while (same < most - from && words.at(-1 - same) === others.at(-1 - same)) same += 1;
  return [from, others.length - same];
}

/** Nouns for a summary by the code of the notes, the worst losses first. */
const counted = catalog("core.import.counted", {
  link: "{count, plural, one {{count} link that leads nowhere} other {{count} links that lead nowhere}}",
  image: "{count, plural, one {{count} image} other {{count} images}}",
  "left-out": "{count, plural, one {{count} part left out} other {{count} parts left out}}",
  "tracked-changes": "{count, plural, one {{count} note on tracked changes} other {{count} notes on tracked changes}}",
  comments: "{count, plural, one {{count} note on comments} other {{count} notes on comments}}",
  html: "{count, plural, one {{count} change of HTML} other {{count} changes of HTML}}",
  "raw-html": "{count, plural, one {{count} element of HTML} other {{count} elements of HTML}}",
  snippet: "{count, plural, one {{count} included file} other {{count} included files}}",
  tabs: "{count, plural, one {{count} group of tabs} other {{count} groups of tabs}}",
  markup: "{count, plural, one {{count} piece of markup} other {{count} pieces of markup}}",
  styles: "{count, plural, one {{count} note on styles} other {{count} notes on styles}}",
  "lettered-steps": "{count, plural, one {{count} list with letters} other {{count} lists with letters}}",
  count: "{count, plural, one {{count} rewritten tag} other {{count} rewritten tags}}",
  macro: "{count, plural, one {{count} macro} other {{count} macros}}",
  figures: "{count, plural, one {{count} note on figures} other {{count} notes on figures}}",
  "changed-words": "{count, plural, one {{count} note on changed words} other {{count} notes on changed words}}",
  "changed-spaces": "{count, plural, one {{count} note on changed spaces} other {{count} notes on changed spaces}}",
  "changed-list-number":
    "{count, plural, one {{count} note on changed list numbers} other {{count} notes on changed list numbers}}",
  "changed-list-level":
    "{count, plural, one {{count} note on changed levels of lists} other {{count} notes on changed levels of lists}}",
  "changed-code": "{count, plural, one {{count} note on changed code} other {{count} notes on changed code}}",
  "changed-strike": "{count, plural, one {{count} note on struck words} other {{count} notes on struck words}}",
  "changed-markup":
    "{count, plural, one {{count} note on markup seen as text} other {{count} notes on markup seen as text}}",
  abbreviation: "{count, plural, one {{count} abbreviation} other {{count} abbreviations}}",
  admonition: "{count, plural, one {{count} admonition} other {{count} admonitions}}",
  "attribute-list": "{count, plural, one {{count} attribute list} other {{count} attribute lists}}",
  "changed-alert": "{count, plural, one {{count} changed alert} other {{count} changed alerts}}",
  "changed-check-box": "{count, plural, one {{count} changed check box} other {{count} changed check boxes}}",
  "changed-column": "{count, plural, one {{count} changed column} other {{count} changed columns}}",
  "changed-image": "{count, plural, one {{count} changed image} other {{count} changed images}}",
  "changed-link": "{count, plural, one {{count} changed link} other {{count} changed links}}",
  comment: "{count, plural, one {{count} comment} other {{count} comments}}",
  component: "{count, plural, one {{count} component} other {{count} components}}",
  "definition-list": "{count, plural, one {{count} definition list} other {{count} definition lists}}",
  directive: "{count, plural, one {{count} directive} other {{count} directives}}",
  "grid-table": "{count, plural, one {{count} grid table} other {{count} grid tables}}",
  role: "{count, plural, one {{count} role} other {{count} roles}}",
  shortcode: "{count, plural, one {{count} shortcode} other {{count} shortcodes}}",
  target: "{count, plural, one {{count} target} other {{count} targets}}",
  "template-tag": "{count, plural, one {{count} template tag} other {{count} template tags}}",
});

/** Summarizes notes on changed or lost content: "3 links that lead nowhere, 1 directive"; empty without such notes. */
export function lossSummary(notes: readonly ReportedNote[]): string {
  const counts = new Map<string, number>();
  for (const note of notes) {
    const { code, reason } = note;
    // skip HTML comments, because readers never see them
    if (!Object.hasOwn(counted, code) || constructNameOf(note)?.startsWith("<!--")) continue;
    // a note can name several links
    const several = code === "link" || code === "image" ? reason?.values["count"] : undefined;
    counts.set(code, (counts.get(code) ?? 0) + Number(several ?? 1));
  }
  return (Object.keys(counted) as (keyof typeof counted)[])
    .flatMap((code) => (counts.has(code) ? counted[code]({ count: counts.get(code) ?? 0 }) : []))
    .join(", ");
}
