/** Writes boxes of other tools as alerts and details elements of this program's Markdown. */
import { texts } from "./texts.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { escapeBetweenTags } from "../text/escape-html.ts";
import { isNeverFolded, titleFromKindWord } from "../markdown/alert-kinds.ts";
import type { RecognizedBlock, Construct, ForeignDialect, ConstructPlace } from "./construct.ts";
import {
  codeLineFlags,
  withoutSharedIndent,
  isBlankLine,
  linesAsText,
  withoutBlankEnds,
  type SourceLine,
} from "../text/lines.ts";

export interface ForeignBox {
  title: string | undefined;
  /** The kind's name in the other tool, shown for a box without a title. */
  word?: string | undefined;
  body: readonly SourceLine[];
  /** The line of the file in which the box begins. */
  origin: number;
}

export function alertLines(kind: string, { title: written, word = "", body, origin }: ForeignBox): SourceLine[] {
  const head: SourceLine[] = [{ text: `> [!${kind}]`, origin }];
  const content = withoutBlankEnds(body);
  const isOurs = word === "" || word.toLowerCase() === kind.toLowerCase();
  const title = written ?? (isOurs ? undefined : titleFromKindWord(word));
  if (title !== undefined && title.trim() !== "") {
    head.push({ text: `> ${boldMarkdown(title.trim())}`, origin });
    if (content.length > 0) head.push({ text: ">", origin });
  }
  return [...head, ...content.map((line) => ({ ...line, text: line.text === "" ? ">" : `> ${line.text}` }))];
}

export function boldMarkdown(title: string): string {
  return title.includes("**") ? title : `**${title}**`;
}

export function detailsLines({ title, body, origin }: ForeignBox, open: boolean): SourceLine[] {
  const content = withoutBlankEnds(body);
  const last = content.at(-1)?.origin ?? origin;
  return [
    { text: `<details${open ? " open" : ""}>`, origin, isOurs: true },
    { text: `<summary>${summaryHtml(title ?? "Details")}</summary>`, origin, isOurs: true },
    { text: "", origin },
    ...content,
    { text: "", origin: last },
    { text: "</details>", origin: last, isOurs: true },
  ];
}

/**
 * Writes a folded box as a details element. A warning is never folded, and content that would end the element early
 * becomes an alert instead.
 */
export function foldedLines(kind: string, box: ForeignBox, open: boolean): { out: SourceLine[]; what: MessageWithId } {
  const text = linesAsText(box.body);
  const ends = text.match(/<\/details>/gi)?.length ?? 0;
  if (isNeverFolded(kind) || ends !== (text.match(/<details\b/gi)?.length ?? 0)) {
    return { out: alertLines(kind, box), what: texts.alert({ kind }) };
  }
  const title = box.title ?? (box.word ? titleFromKindWord(box.word) : undefined);
  return { out: detailsLines({ ...box, title }, open), what: texts.details() };
}

function summaryHtml(title: string): string {
  return escapeBetweenTags(title.trim()).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/**
 * Writes tabs as sections with headings. If a section would include the text below the tabs, or inside a list or box,
 * each tab becomes a details block instead.
 */
export function tabLines(
  place: ConstructPlace,
  tabs: readonly ForeignBox[],
  end: number,
): { out: SourceLine[]; what: MessageWithId } {
  const depth = Math.min(6, Math.max(2, place.heading + 1));
  const next = place.lines.slice(end).find(({ text }) => !isBlankLine(text));
  const closes = next === undefined || headingDepth(next.text) > 0;
  const headings = !place.inside && closes && !tabs.some(({ body }) => hasHeadingUpTo(body, depth));
  const out = tabs.flatMap((tab, index): SourceLine[] => {
    const apart = index === 0 ? [] : [{ text: "", origin: tab.origin }];
    if (!headings) return [...apart, ...detailsLines(tab, index === 0)];
    const title = { text: `${"#".repeat(depth)} ${(tab.title ?? "").trim()}`, origin: tab.origin };
    return [...apart, title, { text: "", origin: tab.origin }, ...withoutBlankEnds(tab.body)];
  });
  return { out, what: headings ? texts.section() : texts.details() };
}

function hasHeadingUpTo(lines: readonly SourceLine[], depth: number): boolean {
  const code = codeLineFlags(lines);
  return lines.some(({ text }, index) => {
    const found = code[index] ? 0 : headingDepth(text);
    return found > 0 && found <= depth;
  });
}

/** Returns the level of the heading in a line; 0 for a line without a heading. */
export function headingDepth(text: string): number {
  return /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(text)?.[1]?.length ?? 0;
}

/** Puts a code fence around the lines, longer than any fence inside them. */
export function linesInFence(info: string, lines: readonly SourceLine[]): SourceLine[] {
  const longest = Math.max(2, ...[...linesAsText(lines).matchAll(/`{3,}/g)].map(([mark]) => mark.length));
  const mark = "`".repeat(longest + 1);
  const origin = lines[0]?.origin ?? 1;
  return [{ text: mark + info, origin }, ...lines, { text: mark, origin: lines.at(-1)?.origin ?? origin }];
}

/** Keeps lines verbatim in a fenced block that names their dialect. */
export function keepAsFencedCode(
  place: ConstructPlace,
  end: number,
  about: { dialect: ForeignDialect; name: Construct["name"]; code: Construct["code"] },
): SourceLine[] {
  const lines = place.lines.slice(place.index, end);
  const plain = withoutSharedIndent(lines);
  place.add({
    ...about,
    line: lines[0]?.origin ?? 1,
    outcome: "kept",
    what: texts.keptInBlock({ dialect: about.dialect }),
    source: linesAsText(plain),
  });
  return indentedLines(leadingSpaceOf(lines[0]?.text ?? ""), linesInFence(about.dialect, plain));
}

export function leadingSpaceOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? "";
}

export function indentedLines(indent: string, lines: readonly SourceLine[]): SourceLine[] {
  return lines.map((line) => ({ ...line, text: line.text === "" ? "" : indent + line.text }));
}

/**
 * Lists the attributes that a conversion leaves out: `icon: bug, id: x`; empty if all attributes were used.
 * @param words unused words that have no key
 */
export function omittedAttributesText(
  attributes: ReadonlyMap<string, string>,
  used: readonly string[],
  words: readonly string[] = [],
): string {
  const others = [...attributes].filter(([key]) => !used.includes(key));
  const lost = [...others.map(([key, value]) => `${key}: ${value}`.trim()), ...words];
  return lost.join(", ");
}

/** Adds a blank line below unless there is one, so that the next paragraph doesn't become part of the box. */
export function withBlankLineBelow(out: SourceLine[], next: SourceLine | undefined): SourceLine[] {
  return next === undefined || isBlankLine(next.text) ? out : [...out, { text: "", origin: next.origin }];
}

/** Keeps lines verbatim like `keepAsFencedCode`, and returns them as a block with a blank line below. */
export function keepAsFencedBlock(
  place: ConstructPlace,
  end: number,
  about: Parameters<typeof keepAsFencedCode>[2],
): RecognizedBlock {
  return { end, out: withBlankLineBelow(keepAsFencedCode(place, end, about), place.lines[end]) };
}
