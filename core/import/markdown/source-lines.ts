/** A line of a Markdown body, input of the dialects. `origin` is its line in the file (1-based). */
export interface SourceLine {
  text: string;
  origin: number;
}

export function toLines(body: string, firstLine: number): SourceLine[] {
  return body.split("\n").map((text, index) => ({ text, origin: firstLine + index }));
}

export function toText(lines: readonly SourceLine[]): string {
  return lines.map((line) => line.text).join("\n");
}

/** The lines inside fenced code (with the fences), which contain no dialect. */
export function fencedLines(lines: readonly SourceLine[]): boolean[] {
  let fence: string | undefined;
  return lines.map(({ text }) => {
    const mark = /^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(`{3,}|~{3,})/.exec(text)?.[1];
    if (fence === undefined) {
      fence = mark;
      return mark !== undefined;
    }
    if (mark !== undefined && mark.startsWith(fence) && /^[ \t>]*[`~]+[ \t]*$/.test(text)) fence = undefined;
    return true;
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

export function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text);
}
