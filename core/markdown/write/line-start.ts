import type { Flat } from "./inline.ts";
import { backslash, type Place } from "./place.ts";

/** What a line of a paragraph may not begin with, and the character (from its start) that takes the backslash. */
interface Opening {
  pattern: RegExp;
  at: number | "end";
  /** Counts only from the second line on (it needs a line above), or only on the first. */
  line?: "later" | "first";
}

const openings: readonly Opening[] = [
  { pattern: /^#{1,6}(?=[ \t]|$)/, at: 0 },
  { pattern: /^>/, at: 0 },
  { pattern: /^[-+*](?=[ \t]|$)/, at: 0 },
  { pattern: /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/, at: 0 },
  { pattern: /^(?:=+|-+)[ \t]*$/, at: 0, line: "later" },
  { pattern: /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/, at: 0, line: "later" },
  { pattern: /^\d{1,9}[.)](?=[ \t]|$)/, at: "end", line: "first" },
  { pattern: /^0{0,8}1[.)](?=[ \t]|$)/, at: "end", line: "later" },
  { pattern: /^(?:`{3,}|~{3,})/, at: 0 },
  { pattern: /^<(?=[A-Za-z/!?])/, at: 0 },
  { pattern: /^\[[^[\]]+\]:[ \t]*(?:(?:<[^<>]*>|[^\s<]\S*)[ \t]*(?:["'(]|$)|$)/, at: 0, line: "first" },
  { pattern: /^\[\^[^[\]]+\]:/, at: 0 },
];

/** Marks what would turn the beginning of a line into a block of its own. */
export function markLineStarts({ text, mask }: Flat, place: Place, marks: Uint8Array): void {
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    if (mask[start] === "t") markLine(text.slice(start, end), start, place, mask, marks);
    start = end + 1;
  }
}

function markLine(line: string, start: number, place: Place, mask: string, marks: Uint8Array): void {
  const where = start === 0 ? "first" : "later";
  for (const { pattern, at, line: only } of openings) {
    if (only !== undefined && only !== where && !place.plain) continue;
    const found = pattern.exec(line);
    if (found === null) continue;
    const index = start + (at === "end" ? found[0].length - 1 : at);
    if (mask[index] === "t") marks[index] = backslash;
  }
}
