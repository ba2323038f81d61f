import { sentences, type MessageWithId } from "#core/language/catalog.ts";
import type { ReadingToken } from "../markdown/html/reading.ts";
import { shortenedForNote as cutText, stepsBetween } from "./steps.ts";

export const changeKinds = [
  "words",
  "spaces",
  "list-number",
  "list-level",
  "check-box",
  "column",
  "code",
  "link",
  "image",
  "strike",
  "alert",
  "markup",
] as const;
export type ConversionChangeKind = (typeof changeKinds)[number];

/** A difference between the result of a conversion and its source. */
export interface ConversionChange {
  kind: ConversionChangeKind;
  /** The line in the source, from 1; absent for a source that has no lines, such as HTML. */
  line?: number;
  /** The words around the difference, without markup, at most 80 characters. */
  near: string;
  /** The text in the source; empty if the result adds text. */
  before: string;
  /** The text in the result; empty if text is missing. */
  after: string;
}

/** The maximum number of edits. Texts with more are too different to list each difference. */
const editsAtMost = 2_000;
const wordsAround = 6;

/** A word, code block or image, with the marks before it, such as a list number or checkbox. */
interface ComparedWord {
  text: string;
  isStruck: boolean;
  marks: ReadingToken[];
}

/** Compares what readers see of two texts. Returns the differences; empty if there are none. */
export function differencesOfReadings(
  before: readonly ReadingToken[],
  after: readonly ReadingToken[],
): ConversionChange[] {
  if (before.length === after.length && before.every((seen, index) => seen === after[index])) return [];
  const [from, to] = [comparedEntriesOf(before), comparedEntriesOf(after)];
  const [texts, others] = [from, to].map((entries) => entries.map(({ text }) => text));
  const steps = stepsBetween(texts ?? [], others ?? [], editsAtMost);
  if (steps === undefined) {
    return [{ kind: "words", near: "", before: `${from.length} words`, after: `${to.length} words` }];
  }
  return steps.flatMap(({ at, removed, to: other, added, isEqual }) => {
    if (isEqual) {
      const pairs = Array.from({ length: removed }, (_, step) => [from[at + step], to[other + step]] as const);
      return pairs.flatMap(([one, same], step) => markChanges([one], [same], nearbyWords(from, at + step)));
    }
    const [less, more] = [from.slice(at, at + removed), to.slice(other, other + added)];
    const near = nearbyWords(from, at);
    return [...wordRunChanges(less, more, near), ...markChanges(less, more, near)];
  });
}

function comparedEntriesOf(seen: readonly ReadingToken[]): ComparedWord[] {
  const entries: ComparedWord[] = [];
  let marks: ReadingToken[] = [];
  for (const one of seen) {
    const kind = one.charAt(0);
    if (!"w~pi".includes(kind)) marks.push(one);
    else {
      entries.push({ text: kind === "~" ? `w${one.slice(1)}` : one, isStruck: kind === "~", marks });
      marks = [];
    }
  }
  return [...entries, { text: "", isStruck: false, marks }];
}

function wordRunChanges(
  removed: readonly ComparedWord[],
  added: readonly ComparedWord[],
  near: string,
): ConversionChange[] {
  return (["words", "code", "image"] as const).flatMap((kind): ConversionChange[] => {
    const mark = { words: "w", code: "p", image: "i" }[kind];
    const [one, other] = [removed, added].map((entries) =>
      entries.flatMap(({ text }) => (text.startsWith(mark) ? [text.slice(1)] : [])),
    );
    if (one === undefined || other === undefined || (one.length === 0 && other.length === 0)) return [];
    const isGlued = kind === "words" && one.join("") === other.join("");
    return [
      {
        kind: isGlued ? "spaces" : kind,
        near,
        before: shortenedChange(one.join(" ")),
        after: shortenedChange(other.join(" ")),
      },
    ];
  });
}

const markGroups: readonly { kind: ConversionChangeKind; marks: string; show(seen: ReadingToken): string }[] = [
  { kind: "list-number", marks: "#", show: (seen) => seen.slice(seen.indexOf(":") + 1) },
  { kind: "list-level", marks: "#*", show: (seen) => /^[#*](\d+)/.exec(seen)?.[1] ?? "" },
  { kind: "check-box", marks: "x", show: (seen) => (seen === "x1" ? "☒" : "☐") },
  { kind: "column", marks: "rc", show: (seen) => (seen === "r" ? "row" : String(Number(seen.slice(1)) + 1)) },
  { kind: "link", marks: "a", show: (seen) => seen.slice(1) || "link" },
  { kind: "alert", marks: "!", show: (seen) => seen.slice(1) },
];

function markChanges(
  before: readonly (ComparedWord | undefined)[],
  after: readonly (ComparedWord | undefined)[],
  near: string,
): ConversionChange[] {
  const [one, other] = [before, after].map((entries) => entries.flatMap((entry) => entry?.marks ?? []));
  const changes: ConversionChange[] = [];
  for (const { kind, marks, show } of markGroups) {
    const [from = "", to = ""] = [one, other].map((seen) =>
      (seen ?? [])
        .filter((item) => marks.includes(item.charAt(0)))
        .map(show)
        .join(" "),
    );
    if (from !== to) changes.push({ kind, near, before: shortenedChange(from), after: shortenedChange(to) });
  }
  const [was, is] = [before, after].map((entries) => entries.some((entry) => entry?.isStruck));
  if (was !== is && before.length === after.length) {
    const words = before.map((entry) => entry?.text.slice(1)).join(" ");
    changes.push({ kind: "strike", near, before: was ? `~~${words}~~` : words, after: is ? `~~${words}~~` : words });
  }
  return changes;
}

function nearbyWords(entries: readonly ComparedWord[], at: number): string {
  return shortenedChange(
    entries
      .slice(Math.max(0, at - wordsAround), at + wordsAround)
      .flatMap(({ text }) => (text.startsWith("w") ? [text.slice(1)] : []))
      .join(" "),
  );
}

const shortenedChange = (text: string): string => cutText(text.replace(/\n/g, " ⏎ "));

const kinds = sentences("core.faithful.kinds", {
  words: "missing words",
  changed: "changed words",
  spaces: "words that run together or apart",
  "list-number": "list numbers",
  "list-level": "levels of lists",
  "check-box": "check boxes",
  column: "columns of cells",
  code: "code",
  link: "links",
  image: "images",
  strike: "struck words",
  alert: "alerts",
  markup: "markup that readers see as text",
});

const texts = sentences("core.faithful.changes", {
  kind: "{kind}: {places}",
  both: "{first}; {second}",
  more: "{places}; and {more} more",
  near: "{change} near “{around}”",
  line: "{change} (line {line})",
  same: "“{before}”",
  missing: "“{before}” is missing",
  added: "“{after}” is new",
  became: "“{before}” became “{after}”",
});

const shownPlacesAtMost = 5;

/** Writes the changes as notes for the author: one note for each kind, with its first places. */
export function notesOfChanges(
  changes: readonly ConversionChange[],
): { code: `changed-${ConversionChangeKind}`; sentence: MessageWithId; line?: number }[] {
  return changeKinds.flatMap((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    const [first] = own;
    if (first === undefined) return [];
    const listed = own
      .slice(0, shownPlacesAtMost)
      .map(changeSentence)
      .reduce((one, next) => texts.both({ first: one, second: next }));
    const more = own.length - shownPlacesAtMost;
    const places = more > 0 ? texts.more({ places: listed, more }) : listed;
    const isChanged = kind === "words" && own.some(({ after }) => after !== "");
    return [
      {
        code: `changed-${kind}` as const,
        sentence: texts.kind({ kind: kinds[isChanged ? "changed" : kind](), places }),
        ...(first.line === undefined ? {} : { line: first.line }),
      },
    ];
  });
}

function changeSentence({ line, near: around, before, after }: ConversionChange): MessageWithId {
  const change =
    after === before
      ? texts.same({ before })
      : after === ""
        ? texts.missing({ before })
        : before === ""
          ? texts.added({ after })
          : texts.became({ before, after });
  if (line !== undefined) return texts.line({ change, line });
  return around === "" ? change : texts.near({ change, around });
}
