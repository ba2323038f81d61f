/** Finds numbers of SOPs in running text, such as `see SOP-0042`, and turns them into links. */
import type { Nodes } from "mdast";
import { numberLimits } from "#core/numbers/numbers.ts";
import { markdownLimits, utf8Length } from "./limits.ts";
import { sopUrl } from "./sop-links.ts";
import { eachNode, parseMarkdown } from "./parse.ts";
import { plainText } from "./plain-text.ts";

/** A number of an SOP in running text. */
export interface SopMention {
  number: string;
  /** The offset in the text. */
  start: number;
  /** The line number, from 1. */
  line: number;
}

/** The maximum number of SOP numbers to look up, and of mentions that become links, in one text. */
export const mostMentions = 500;

/** The repetitions are limited, so that no text takes long. */
const shape = "[A-Z0-9]{1,60}(?:[.-][A-Z0-9]{1,60}){0,12}[.-]\\d{1,9}";
const anywhere = new RegExp(`(?<![A-Z0-9])${shape}`, "g");
/**
 * Matches a number that is not part of a longer word, number, address, file name or bracket. In scripts without spaces
 * between words, letters can be right beside it: 参见SOP-0042。
 */
const mention = new RegExp(
  String.raw`(?<![\p{Lu}\p{Ll}\p{N}\p{M}_.\/\\@#:=&?%+$~^!<\{\}\[\]\-])${shape}(?![\p{Lu}\p{Ll}\p{N}\p{M}_\/\\@#=&%+$~>\{\}\]\-]|[.:?][\p{L}\p{N}])`,
  "gu",
);
/** Matches `{{ }}` and `{% %}`: text that another tool fills in. */
const filledIn = /\{[{%]/;
const phrasing = new Set(["paragraph", "tableCell", "emphasis", "strong", "delete"]);
const notRunning = new Set(["heading", "link", "linkReference"]);

/** Matches the address of a link to an SOP, which doesn't count as a mention. */
const address = /\]\(\/sop\/[^)\s]*/g;

/**
 * The numbers that the new lines of a text seem to mention, each once. This is fast, because nothing is parsed.
 * @param before earlier texts that this one was edited from
 */
export function mentionedNumbers(markdown: string, before: readonly string[]): string[] {
  if (!/[A-Z0-9][.-]\d/.test(markdown)) return [];
  const known = distinctLinesOf(before);
  const found = new Set<string>();
  for (const line of markdown.split("\n")) {
    if (known.has(line)) continue;
    for (const [number] of line.replaceAll(address, "](").matchAll(anywhere))
      if (canBeSopNumber(number)) found.add(number);
  }
  return [...found].slice(0, mostMentions);
}

/**
 * Replaces new mentions by links. A mention that was plain text in an earlier text stays plain, if its line is
 * unchanged or replaces a line with as many mentions.
 * @param before earlier texts that this one was edited from
 * @param numbers the SOPs to link, spelled as in the text
 * @param unlinked true if the author saw the links of the earlier texts, so a plain number was unlinked on purpose
 * @returns the unchanged text and no mentions if the text would be too long with links
 */
export function linkMentions(
  markdown: string,
  before: readonly string[],
  numbers: ReadonlySet<string>,
  unlinked: boolean,
): { markdown: string; mentions: SopMention[] } {
  const now = sopNumbersIn(markdown);
  const isNew = createNewLineCheck(distinctLinesOf(before), markdown);
  const left = new Map<string, number>();
  const addCounts = (found: readonly { number: string }[], by: number) => {
    for (const { number } of found) left.set(number, (left.get(number) ?? 0) + by);
  };
  for (const text of before) {
    const [old, isGone] = [sopNumbersIn(text), createGoneLineCheck(text, markdown)];
    addCounts(old.plain.filter(isGone), 1);
    if (unlinked) addCounts(old.linked.filter(isGone), 1);
  }
  if (unlinked) addCounts(now.linked.filter(isNew), -1);
  const mentions = now.plain.filter((one) => {
    if (!numbers.has(one.number) || !isNew(one)) return false;
    const stays = (left.get(one.number) ?? 0) > 0;
    if (stays) addCounts([one], -1);
    return !stays;
  });
  const all = mentions.slice(0, mostMentions);
  const linked = isSamePlainText(markdown, withMentionsLinked(markdown, all)) ? all : safeMentions(markdown, all);
  const text = withMentionsLinked(markdown, linked);
  return utf8Length(text) > markdownLimits.bytes ? { markdown, mentions: [] } : { markdown: text, mentions: linked };
}

function withMentionsLinked(markdown: string, mentions: readonly SopMention[]): string {
  let text = "";
  let done = 0;
  for (const { number, start } of mentions) {
    text += `${markdown.slice(done, start)}[${number}](${sopUrl(number)})`;
    done = start + number.length;
  }
  return text + markdown.slice(done);
}

/**
 * Returns the mentions that can become links without changing other markup. The brackets of a link can turn `**` beside
 * the number into a mark of emphasis.
 */
function safeMentions(markdown: string, mentions: readonly SopMention[]): SopMention[] {
  const safe: SopMention[] = [];
  for (const mention of mentions) {
    if (isSamePlainText(markdown, withMentionsLinked(markdown, [...safe, mention]))) safe.push(mention);
  }
  return safe;
}

function isSamePlainText(markdown: string, linked: string): boolean {
  return markdown === linked || plainText(parseMarkdown(markdown)) === plainText(parseMarkdown(linked));
}

/** Finds the numbers in running text (`plain`), and numbers that are the words of a link (`linked`). */
function sopNumbersIn(markdown: string): { plain: SopMention[]; linked: SopMention[] } {
  const found = { plain: new Array<SopMention>(), linked: new Array<SopMention>() };
  const tagged = new Map<Nodes, boolean>();
  const isApart = (parent: Nodes) => {
    const known = tagged.get(parent) ?? (notRunning.has(parent.type) || hasTags(parent));
    tagged.set(parent, known);
    return known;
  };
  eachNode(parseMarkdown(markdown), (node, parents) => {
    if (node.type !== "text" || node.position === undefined) return;
    const { offset: from = 0, line: first } = node.position.start;
    const source = markdown.slice(from, node.position.end.offset);
    const parent = parents.at(-1)?.type;
    if (parent === "link" || parent === "linkReference") {
      if (canBeSopNumber(source)) found.linked.push({ number: source, start: from, line: first });
    } else if (!parents.some(isApart) && !filledIn.test(source)) {
      let [line, counted] = [first, 0];
      for (const { 0: number, index } of source.matchAll(mention)) {
        line += source.slice(counted, index).split("\n").length - 1;
        counted = index;
        if (canBeSopNumber(number)) found.plain.push({ number, start: from + index, line });
      }
    }
  });
  return found;
}

function distinctLinesOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.split("\n")));
}

/** Returns a function that tells whether a mention in `text` is on a line that is not among `others`. */
function createNewLineCheck(others: ReadonlySet<string>, text: string): (at: { line: number }) => boolean {
  const lines = text.split("\n");
  return ({ line }) => !others.has(lines[line - 1] ?? "");
}

/** Returns a function that tells which lines of `before` are gone from `now`. Of two equal lines, one can be gone. */
function createGoneLineCheck(before: string, now: string): (at: { line: number }) => boolean {
  const left = new Map<string, number>();
  for (const line of now.split("\n")) left.set(line, (left.get(line) ?? 0) + 1);
  const isGone = before.split("\n").map((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
  return ({ line }) => isGone[line - 1] ?? true;
}

/** Tells whether a text can be a number of an SOP. A number contains letters, so a date is none. */
function canBeSopNumber(words: string): boolean {
  return words.length <= numberLimits.number && /[A-Z]/.test(words);
}

/**
 * Tells whether a paragraph contains HTML tags, which can make its text a link: `<a href="…">SOP-0042</a>`.
 */
function hasTags(parent: Nodes): boolean {
  return (
    phrasing.has(parent.type) &&
    "children" in parent &&
    parent.children.some((child) => child.type === "html" && !/^<br\b/i.test(child.value))
  );
}
