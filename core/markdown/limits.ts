import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";

/** What a Markdown text may be at most. Sizes are bytes of UTF-8, counts are per paragraph unless said otherwise. */
export const markdownLimits = {
  bytes: limits.document,
  nesting: 100,
  delimiterRuns: 4_000,
  openBrackets: 1_000,
} as const;

/**
 * Refuses in linear time what would keep a parser busy for seconds; the worker's deadline catches the rest.
 * Throws `too_large` beyond 256 KiB, `unprocessable` for nesting or markup no document has (design security.md).
 */
export function guardMarkdown(text: string): void {
  if (utf8Length(text) > markdownLimits.bytes) {
    throw new AppError("too_large", `The text is larger than ${markdownLimits.bytes / 1024} KiB`);
  }
  let runs = 0;
  let brackets = 0;
  let number = 0;
  for (const line of text.split("\n")) {
    number += 1;
    if (containerDepth(line) > markdownLimits.nesting) refuse("quotes or lists are nested too deeply", number);
    const separate = line.trim() === "" || line.includes("|");
    runs = (separate ? 0 : runs) + count(line, delimiterRun);
    brackets = (separate ? 0 : brackets) + count(line, openBracket);
    if (runs > markdownLimits.delimiterRuns) refuse("one paragraph holds too many emphasis marks", number);
    if (brackets > markdownLimits.openBrackets) refuse("one paragraph holds too many brackets", number);
  }
}

const delimiterRun = /[*_~`]+/g;
const openBracket = /!?\[/g;
const container = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;

/** Quote and list marks a line opens with, each indented step counting as one. */
function containerDepth(line: string): number {
  let depth = 0;
  container.lastIndex = 0;
  while (container.test(line)) depth += 1;
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  return depth <= 1 ? depth + (depth === 0 ? 0 : Math.floor(indent / 2)) : depth;
}

function count(line: string, pattern: RegExp): number {
  return line.match(pattern)?.length ?? 0;
}

function refuse(why: string, line: number): never {
  throw new AppError("unprocessable", `The text can't be processed: ${why} (line ${line})`, { line });
}

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // A surrogate pair is two units and four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
