/**
 * Writes tables for spreadsheets (RFC 4180). No cell contains a formula that a spreadsheet would run
 * (`docs/security.md`).
 */
export type CsvCell = string | number | boolean | null;

/**
 * Writes one row with its line break. Texts that start like a formula get a leading `'`, also with full-width signs;
 * null is an empty cell.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  const text = typeof cell === "string" ? escapedFormula(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escapedFormula(text: string): string {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
}
