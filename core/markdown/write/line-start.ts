import type { FlatInline } from "./inline.ts";
import { backslash, type InlineContext } from "./place.ts";

/** A pattern that must not start a line of a paragraph, and the characters of it that get a backslash. */
interface LineStartPattern {
  pattern: RegExp;
  at: "first" | "last" | "all";
  /** The pattern only counts from the second line on (it needs a line above), or only on the first line. */
  line?: "later" | "first";
}

const openings: readonly LineStartPattern[] = [
  { pattern: /^#{1,6}(?=[ \t]|$)/, at: "first" },
  { pattern: /^>/, at: "first" },
  { pattern: /^[-+*](?=[ \t]|$)/, at: "first" },
  { pattern: /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/, at: "first" },
  { pattern: /^(?:=+|-+)[ \t]*$/, at: "first", line: "later" },
  { pattern: /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/, at: "first", line: "later" },
  { pattern: /^\d{1,9}[.)](?=[ \t]|$)/, at: "last", line: "first" },
  { pattern: /^0{0,8}1[.)](?=[ \t]|$)/, at: "last", line: "later" },
  { pattern: /^(?:`{3,}|~{3,})/, at: "all" },
  { pattern: /^<(?=[A-Za-z/!?])/, at: "first" },
  { pattern: /^\[[^[\]]+\]:[ \t]*(?:(?:<[^<>]*>|[^\s<]\S*)[ \t]*(?:["'(]|$)|$)/, at: "first", line: "first" },
  { pattern: /^\[\^[^[\]]+\]:/, at: "first" },
];

/** Marks characters that would turn the beginning of a line into another block. */
export function markLineStarts({ text, mask }: FlatInline, place: InlineContext, marks: Uint8Array): void {
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    if (mask[start] === "t") markLine(text.slice(start, end), start, place, mask, marks);
    start = end + 1;
  }
}

function markLine(line: string, start: number, place: InlineContext, mask: string, marks: Uint8Array): void {
  const where = start === 0 ? "first" : "later";
  for (const { pattern, at, line: only } of openings) {
    if (only !== undefined && only !== where && !place.plain) continue;
    const found = pattern.exec(line);
    if (found === null) continue;
    const length = found[0].length;
    for (let index = at === "last" ? length - 1 : 0; index < (at === "first" ? 1 : length); index += 1) {
      if (mask[start + index] === "t") marks[start + index] = backslash;
    }
  }
}
