import { printableText } from "./output.ts";

/** Aligns rows in columns, one row per line with a line break. The last column isn't padded. */
export function alignedColumns(rows: readonly (readonly string[])[]): string {
  return alignedRows(rows).join("");
}

/**
 * Returns one text per row. Line breaks in the last column stay, with the next lines indented below it. In the other
 * columns they become spaces. Notes and titles come from other people, so they must never look like a row.
 */
export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) =>
    row.map((cell, index) => (index === row.length - 1 ? cell : oneLine(cell))).map(printableText),
  );
  const widths: number[] = [];
  for (const row of clean) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return clean.map((row) => {
    const start = row.slice(0, -1).map((cell, index) => cell.padEnd(widths[index] ?? 0));
    const indent = start.reduce((sum, cell) => sum + cell.length + 2, 0);
    return `${withIndentedLines([...start, row.at(-1) ?? ""].join("  "), indent)}\n`;
  });
}

/** Indents every line of a text after its first. */
export function withIndentedLines(text: string, spaces: number): string {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line, index) => (index === 0 || line === "" ? line : " ".repeat(spaces) + line).trimEnd())
    .join("\n");
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
