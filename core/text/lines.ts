/** A line of a Markdown body, for the conversion of dialects. `origin` is the line number in the file (1-based). */
export interface SourceLine {
  text: string;
  origin: number;
  /** True for HTML that a mapping wrote, not the author. */
  isOurs?: true;
}

export function toLines(body: string, firstLine: number): SourceLine[] {
  return body.split("\n").map((text, index) => ({ text, origin: firstLine + index }));
}

export function linesAsText(lines: readonly SourceLine[]): string {
  return lines.map((line) => line.text).join("\n");
}

/** Tells which lines are fenced code, including the fences. They contain no markup of other tools. */
export function fencedLineFlags(lines: readonly SourceLine[]): readonly boolean[] {
  const known = fencedOf.get(lines);
  if (known !== undefined) return known;
  const found = findFenced(lines);
  fencedOf.set(lines, found);
  return found;
}

/**
 * Caches `fencedLineFlags`, because each block of a text requests the result for all lines. Without the cache, many blocks
 * would take quadratic time.
 */
const fencedOf = new WeakMap<readonly SourceLine[], readonly boolean[]>();

function findFenced(lines: readonly SourceLine[]): boolean[] {
  let fence: OpenFence | undefined;
  return lines.map(({ text }) => {
    if (fence === undefined) {
      fence = openFence(text);
      return fence !== undefined;
    }
    if (closesFence(fence, text)) fence = undefined;
    return true;
  });
}

interface OpenFence {
  mark: string;
  /** The column of the opening mark. */
  column: number;
}

function openFence(text: string): OpenFence | undefined {
  const [, above = "", mark] = /^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?)(`{3,}(?!.*`)|~{3,})/.exec(text) ?? [];
  return mark === undefined ? undefined : { mark, column: contentColumnOf(above) };
}

/**
 * Tells whether a line closes a fence. A mark that is indented by four columns more than the opening one is part of the
 * code.
 */
export function closesFence({ mark, column }: OpenFence, text: string): boolean {
  const [, above = "", close] = /^([ \t>]*)(`{3,}|~{3,})[ \t]*$/.exec(text) ?? [];
  return close?.startsWith(mark) === true && contentColumnOf(above) < column + 4;
}

/** The width of the indent, quote marks and list mark. */
function contentColumnOf(text: string): number {
  return indentOf(text.replace(/\S/g, " "));
}

/**
 * The index after a fenced block that begins here; undefined if none does. @param text the first line, or the part of
 * it to check
 */
export function indexAfterFence(
  lines: readonly SourceLine[],
  index: number,
  text = lines[index]?.text ?? "",
): number | undefined {
  const fence = /^[ \t]*>/.test(text) ? undefined : openFence(text);
  if (fence === undefined) return undefined;
  for (let at = index + 1; at < lines.length; at += 1) {
    if (closesFence(fence, lines[at]?.text ?? "")) return at + 1;
  }
  return lines.length;
}

const marker = /^[ \t]*((?:[-*+]|\d{1,9}[.)]|[a-z]\.|[ivx]{2,5}\.)[ \t]+)(?=\S)/;

/**
 * Tells which lines are code: fenced lines, and lines that are indented by four columns more than the list item around
 * them.
 */
export function codeLineFlags(lines: readonly SourceLine[]): boolean[] {
  const fenced = fencedLineFlags(lines);
  const items: number[] = [];
  let apart = true;
  let inCode = false;
  return lines.map(({ text }, index) => {
    if (fenced[index]) {
      apart = false;
      inCode = false;
      return true;
    }
    if (isBlankLine(text)) {
      apart = true;
      return false;
    }
    const indent = indentOf(text);
    const item = marker.exec(text);
    if (apart || item !== null) while (items.length > 0 && indent < (items.at(-1) ?? 0)) items.pop();
    const base = items.at(-1) ?? 0;
    inCode = indent - base >= 4 && (apart || inCode);
    if (item !== null && !inCode) items.push(indent + (item[1] ?? "").length);
    apart = false;
    return inCode;
  });
}

export function indentOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character === " ") width += 1;
    else if (character === "\t") width += 4 - (width % 4);
    else return width;
  }
  return width;
}

/** Tells whether a line is blank. CommonMark only counts spaces and tabs. */
export function isBlankLine(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

/** Removes the indent that all lines share. */
export function withoutSharedIndent(lines: readonly SourceLine[]): SourceLine[] {
  const widths = lines.filter(({ text }) => !isBlankLine(text)).map(({ text }) => indentOf(text));
  const width = widths.length === 0 ? 0 : Math.min(...widths);
  return width === 0 ? [...lines] : lines.map((line) => ({ ...line, text: withoutIndent(line.text, width) }));
}

/** Removes at most `width` columns of indent. */
export function withoutIndent(text: string, width: number): string {
  if (isBlankLine(text)) return "";
  const spaces = text.replace(/^[ \t]*/, (indent) => " ".repeat(indentOf(indent)));
  return spaces.slice(Math.min(width, indentOf(text)));
}

/** Removes blank lines at both ends. */
export function withoutBlankEnds(lines: readonly SourceLine[]): SourceLine[] {
  const start = lines.findIndex(({ text }) => !isBlankLine(text));
  const end = lines.findLastIndex(({ text }) => !isBlankLine(text));
  return start === -1 ? [] : lines.slice(start, end + 1);
}

/**
 * The index after the lines that are indented by four columns more than `indent`, or blank. Blank lines at the end
 * belong to the next block.
 */
export function indexAfterIndented(lines: readonly SourceLine[], start: number, indent: number): number {
  let end = start;
  for (let index = start; index < lines.length; index += 1) {
    const text = lines[index]?.text ?? "";
    if (isBlankLine(text)) continue;
    if (indentOf(text) < indent + 4) break;
    end = index + 1;
  }
  return end;
}
