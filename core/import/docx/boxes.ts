/** Check boxes as signs. At the start of a list item, they are Markdown's own. */
export const boxes = { checked: "☒", open: "☐" } as const;

/** Boxes of symbol fonts, by their place in the font. */
const ofFont: Record<string, Record<number, string>> = {
  wingdings: { 0x6f: "☐", 0x70: "☐", 0x71: "☐", 0x72: "☐", 0x78: "☒", 0xa8: "☐", 0xfd: "☒", 0xfe: "☑" },
  "wingdings 2": { 0x2a: "☐", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xa3: "☐" },
  webdings: { 0x63: "☐" },
};

/** The box that a symbol of a font shows; undefined for any other symbol. @param code with or without the 0xF000 of such fonts */
export function boxOfSymbol(font: string, code: number): string | undefined {
  return ofFont[font.toLowerCase()]?.[code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code];
}

const anyBox = /[☐☑☒]/gu;

/** The box at the start of a line, unless several ask a question there. @param several a line can have more */
export function leadingBox(line: string, several = false): { checked: boolean; length: number } | undefined {
  const [start] = /^\s*[☐☑☒](?:\s|$)\s*/u.exec(line) ?? [];
  if (start === undefined || (!several && line.match(anyBox)?.length !== 1)) return undefined;
  return { checked: !start.includes("☐"), length: start.length };
}
