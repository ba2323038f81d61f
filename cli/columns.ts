import { printable } from "./output.ts";

/** Rows in aligned columns, one a line; the last column is as long as it is. Each ends with a line break. */
export function columns(rows: readonly (readonly string[])[]): string {
  return columnRows(rows).join("");
}

/**
 * One text for each row. A text of several lines continues below itself in the last column, and is one line in the
 * others. Notes and titles come from other people, so they must never look like a row.
 */
export function columnRows(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) =>
    row.map((cell, index) => (index === row.length - 1 ? cell : oneLine(cell))).map(printable),
  );
  const widths: number[] = [];
  for (const row of clean) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return clean.map((row) => {
    const start = row.slice(0, -1).map((cell, index) => cell.padEnd(widths[index] ?? 0));
    const indent = start.reduce((sum, cell) => sum + cell.length + 2, 0);
    return `${indented([...start, row.at(-1) ?? ""].join("  "), indent)}\n`;
  });
}

/** Further lines of a text start below its first one. */
export function indented(text: string, spaces: number): string {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line, index) => (index === 0 || line === "" ? line : " ".repeat(spaces) + line).trimEnd())
    .join("\n");
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
