/** Characters for checkboxes. At the start of a list item, they become Markdown tasks. */
export const checkboxCharacters = { checked: "☒", open: "☐" } as const;

/** The checkboxes of symbol fonts, by their codes. */
const ofFont: Record<string, Record<number, string>> = {
  wingdings: { 0x6f: "☐", 0x70: "☐", 0x71: "☐", 0x72: "☐", 0x78: "☒", 0xa8: "☐", 0xfd: "☒", 0xfe: "☑" },
  "wingdings 2": { 0x2a: "☐", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xa3: "☐" },
  webdings: { 0x63: "☐" },
};

/**
 * Returns the checkbox of a symbol font's character; undefined for another symbol. @param code the character's code,
 * with or without the offset 0xF000
 */
export function checkboxOfSymbol(font: string, code: number): string | undefined {
  return ofFont[font.toLowerCase()]?.[code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code];
}

const anyBox = /[☐☑☒]/gu;

/**
 * Returns the checkbox at the start of a line, with its length in characters; undefined without one. A line with
 * several checkboxes is a question with choices, not a task.
 * @param several true to accept a line with several checkboxes
 */
export function leadingCheckbox(line: string, several = false): { checked: boolean; length: number } | undefined {
  const [start] = /^\s*[☐☑☒](?:\s|$)\s*/u.exec(line) ?? [];
  if (start === undefined || (!several && line.match(anyBox)?.length !== 1)) return undefined;
  return { checked: !start.includes("☐"), length: start.length };
}
