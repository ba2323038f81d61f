/** Checkboxes as characters. At the start of a list item, they become Markdown tasks. */
export const boxes = { checked: "☒", open: "☐" } as const;

/** Checkboxes in symbol fonts, by their code in the font. */
const ofFont: Record<string, Record<number, string>> = {
  wingdings: { 0x6f: "☐", 0x70: "☐", 0x71: "☐", 0x72: "☐", 0x78: "☒", 0xa8: "☐", 0xfd: "☒", 0xfe: "☑" },
  "wingdings 2": { 0x2a: "☐", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xa3: "☐" },
  webdings: { 0x63: "☐" },
};

/**
 * The checkbox that a character of a symbol font shows; undefined for another symbol. @param code with or without the
 * offset 0xF000 of such fonts
 */
export function checkboxOfSymbol(font: string, code: number): string | undefined {
  return ofFont[font.toLowerCase()]?.[code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code];
}

const anyBox = /[☐☑☒]/gu;

/**
 * The checkbox at the start of a line. A line with several checkboxes is a question with choices, and no task. @param
 * several accepts a line with several checkboxes
 */
export function leadingCheckbox(line: string, several = false): { checked: boolean; length: number } | undefined {
  const [start] = /^\s*[☐☑☒](?:\s|$)\s*/u.exec(line) ?? [];
  if (start === undefined || (!several && line.match(anyBox)?.length !== 1)) return undefined;
  return { checked: !start.includes("☐"), length: start.length };
}
