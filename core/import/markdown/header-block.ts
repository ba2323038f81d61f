import { AppError } from "#core/errors.ts";
import { refusals } from "./refusals.ts";

/** The header of a file as YAML or TOML text, and the text after it. */
export interface FoundHeader {
  raw: string;
  body: string;
  bodyLine: number;
}

const key = /^[A-Za-z_][\w-]*:(?:[ \t]|$)/;
const longest = 80;

/**
 * Finds a header block that ends with `---` but has no opening line: at least two lines, each a `key:`, a list item or
 * indented. So a heading that is underlined with `---` is not a header.
 */
export function findHeaderBlock(text: string): FoundHeader | undefined {
  const lines = text.split("\n");
  if (!key.test(lines[0] ?? "")) return undefined;
  const end = lines.slice(0, longest).findIndex((line) => /^---[ \t]*$/.test(line));
  if (end < 2) return undefined;
  const header = lines.slice(0, end);
  if (!header.every((line) => key.test(line) || /^(?:[ \t]+\S|-[ \t])/.test(line))) return undefined;
  let start = end + 1;
  while (start < lines.length - 1 && /^[ \t]*$/.test(lines[start] ?? "")) start += 1;
  return { raw: header.join("\n"), body: lines.slice(start).join("\n"), bodyLine: start + 1 };
}

/** Finds a TOML header between two lines of `+++` (Hugo). */
export function findTomlBlock(text: string): FoundHeader | undefined {
  const lines = text.split("\n");
  if (!/^\+\+\+[ \t]*$/.test(lines[0] ?? "")) return undefined;
  const end = lines.findIndex((line, index) => index > 0 && /^\+\+\+[ \t]*$/.test(line));
  if (end === -1) return undefined;
  let start = end + 1;
  while (start < lines.length - 1 && /^[ \t]*$/.test(lines[start] ?? "")) start += 1;
  return { raw: lines.slice(1, end).join("\n"), body: lines.slice(start).join("\n"), bodyLine: start + 1 };
}

/** The number of lines in which misplaced front matter is searched. */
const headLines = 40;

/**
 * Refuses a text with an SOP's front matter in a wrong form, because the import would make a second SOP of it: with
 * text before the opening `---`, another opening line, or no closing line. Front matter in code is an example and
 * allowed.
 */
export function assertNoLostHeader(body: string): void {
  const lines = body.split("\n", headLines);
  const code = lines.findIndex((line) => /^\s*(?:```|~~~)/.test(line));
  const head = code === -1 ? lines : lines.slice(0, code);
  const isRuled = head.some((line) => /^\s*-{2,}\s*$/.test(line));
  const at = head.findIndex(
    (line) =>
      /^\s*id:\s*["']?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/i.test(line) ||
      (isRuled && /^\s*sop:\s*\S*\d/.test(line)),
  );
  if (at === -1) return;
  throw new AppError("invalid_input", refusals.noFrontMatter({ line: at + 1 }), { line: at + 1 });
}
