/**
 * Compares the words and figures of two Markdown texts without a parser, so that it finds losses that the parser and
 * the writer share. Marks, escapes, numbers of list items and the order of spaces don't count.
 */
import { decodeReferences } from "#core/markdown/plain-text.ts";
import type { ConversionChange } from "./compare.ts";
import { isHtmlName } from "./markup.ts";
import { shortenedForNote, stepsBetween } from "./steps.ts";

export interface WrittenOptions {
  /** True if addresses of links and images count. True by default; false for an import, which changes addresses. */
  addresses?: boolean;
  /** True if letters before steps count as list numbers, because a note already says so. */
  letters?: boolean;
  /** The line of the file in which `before` begins. */
  firstLine?: number;
  /** Line numbers of the file that already have a note, so that changes there aren't reported again. */
  named?: ReadonlySet<number>;
}

interface WrittenToken {
  text: string;
  line: number;
}

const token = /(?:(?<![\p{L}\p{N}])[-+](?=\p{N}))?[\p{L}\p{N}\p{M}]+|(?<=\S\s*)[<>]=?(?=\s?\d)|[^\0-\u007F\s]/gu;
const invisible = /[\u00AD\u200B-\u200F\u2060\u2066-\u2069\u202A-\u202E\uFEFF]/g;
const listNumber = /^[>\s]*(?:[-*+]\s+)*\d{1,9}\\?[.)](?=\s|$)/;
const listLetter = /^[>\s]*(?:[-*+]\s+)*(?:\d{1,9}|[a-z]|[ivx]{2,5})\\?[.)](?=\s|$)/;
/** Matches a link whose text is its own address. It means the same as the bare address. */
const ownLink = /\[([^\][\n]+)\]\(<?(?:mailto:|https?:\/\/)?\1\/?>?\)/g;
const autolink = /<((?:[a-z][a-z0-9+.-]*:|[^\s<>@]+@)[^\s<>]+)>/gi;
const address =
  /\]\(\s*(?:<[^>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)|^\s*\[[^\]\n]+\]:\s*\S+|\b(?:src|href|poster)\s*=\s*(?:"[^"\n]*"|'[^'\n]*')/g;
/** Matches a code fence with its language, which doesn't count, because readers don't see it. */
const fence = /^([>\s]*(?:[-*+]\s+)*)(?:`{3,}|~{3,})[ \t]*[^\s`]*/;
const ticked = /^([>\s]*(?:[-*+]\s+)*\[)X(?=\]\s)/;
/**
 * Matches HTML tags, end tags of components and ends of template blocks, which are not words. Other notes name tags
 * that views don't show.
 */
const tag = /(?<!\\)<\/?([A-Za-z][\w-]*)(?=[\s/>])[^<>]*>|\{%-?\s*end\w+\s*-?%\}|\{\{[<%]\s*\/[\w-]+\s*[>%]\}\}/g;
const editsAtMost = 1_000;

/** Finds words and figures that `after` lacks, changes or adds; one summary if more than 1,000 words differ. */
export function differencesOfWriting(before: string, after: string, options: WrittenOptions = {}): ConversionChange[] {
  if (before === after || haveSameTokens(before, after, options)) return [];
  const [from, to] = [before, after].map((text) => writtenTokensOf(text, options));
  if (from === undefined || to === undefined) return [];
  const steps = stepsBetween(
    from.map(({ text }) => text),
    to.map(({ text }) => text),
    editsAtMost,
  );
  if (steps === undefined) {
    return [{ kind: "words", near: "", before: `${from.length} words`, after: `${to.length} words` }];
  }
  const { firstLine = 1, named } = options;
  const wordsText = (tokens: readonly WrittenToken[]): string =>
    shortenedForNote(tokens.map(({ text }) => text).join(" "));
  return steps.flatMap(({ at, removed, to: other, added, isEqual }): ConversionChange[] => {
    const lines = from.slice(at, at + Math.max(1, removed)).map(({ line }) => line + firstLine - 1);
    const isNamed = named !== undefined && lines.every((one) => named.has(one));
    if (isEqual || isNamed) return [];
    return [
      {
        kind: "words",
        line: lines[0] ?? firstLine,
        near: wordsText(from.slice(Math.max(0, at - 4), at + removed + 4)),
        before: wordsText(from.slice(at, at + removed)),
        after: wordsText(to.slice(other, other + added)),
      },
    ];
  });
}

/** Compares two texts line by line first, because equal lines need no further comparison. */
function haveSameTokens(before: string, after: string, options: WrittenOptions): boolean {
  const [one, other] = [before.split("\n"), after.split("\n")];
  let [left, right]: [string[], string[]] = [[], []];
  let [at, to] = [0, 0];
  while (at < one.length || to < other.length) {
    if (left.length === 0 && right.length === 0 && one[at] === other[to] && at < one.length) {
      at += 1;
      to += 1;
      continue;
    }
    if (left.length <= right.length && at < one.length) left.push(...tokensOfLine(one[at++] ?? "", options));
    else if (to < other.length) right.push(...tokensOfLine(other[to++] ?? "", options));
    else left.push(...tokensOfLine(one[at++] ?? "", options));
    const shared = Math.min(left.length, right.length);
    for (let index = 0; index < shared; index += 1) if (left[index] !== right[index]) return false;
    left = left.slice(shared);
    right = right.slice(shared);
  }
  return left.length === 0 && right.length === 0;
}

function writtenTokensOf(text: string, options: WrittenOptions): WrittenToken[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      tokensOfLine(line, options).map((found): WrittenToken => ({ text: found, line: index + 1 })),
    );
}

function tokensOfLine(line: string, { addresses = true, letters = false }: WrittenOptions): string[] {
  if (line === "") return [];
  let text = line
    .replace(letters ? listLetter : listNumber, "")
    .replace(fence, "$1")
    .replace(ticked, "$1x");
  if (text.includes("](")) text = text.replace(ownLink, "$1");
  if (/<[^<>]*[:@]/.test(text)) text = text.replace(autolink, "$1");
  if (!addresses && /\]|=/.test(text)) text = text.replace(address, "]");
  if (/[<{]/.test(text))
    text = text.replace(tag, (whole, name?: string) => {
      const isMark = name === undefined || isHtmlName(name) || /^<\/[\w-]+>$/.test(whole);
      return isMark ? " " : whole;
    });
  if (text.includes("&")) text = decodeReferences(text.replaceAll("\\&", "&amp;"));
  if (!/^[\0-\u007F]*$/.test(text)) text = text.normalize("NFC").replace(invisible, "");
  return text.match(token) ?? [];
}
