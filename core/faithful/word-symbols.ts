/** Characters of symbol fonts that occur in forms and limits. Other characters keep the font's code. */
const symbols: Record<string, Record<string, string>> = {
  symbol: { F0B0: "°", F06D: "μ", F0B3: "≥", F0A3: "≤", F0B1: "±" },
  wingdings: {
    F06F: "☐",
    F070: "☐",
    F071: "☐",
    F072: "☐",
    F0A8: "☐",
    F078: "☒",
    F0FD: "☒",
    F0FE: "☒",
    F0E0: "🡪",
  },
  "wingdings 2": { F02A: "☐", F0A3: "☐", F051: "☒", F052: "☒", F053: "☒", F054: "☒" },
  webdings: { F063: "☐" },
};

export function symbolCharacterOf(font: string, code: string): string {
  const point = Number.parseInt(code, 16);
  const hex = (point < 0x100 ? point + 0xf000 : point).toString(16).toUpperCase();
  return (
    symbols[font.toLowerCase()]?.[hex] ?? (Number.isNaN(point) ? "" : String.fromCodePoint(Number.parseInt(hex, 16)))
  );
}

/** Returns a text with the characters that Word shows: in a symbol font, each letter is the code of a symbol. */
export function textWithSymbols(text: string, font: string): string {
  const isSymbols = /^(?:symbol|wingdings(?: [23])?|webdings|zapf ?dingbats)$/i.test(font);
  if (!isSymbols && !/[\uF020-\uF0FF]/.test(text)) return text;
  return [...text]
    .map((sign) => {
      const point = sign.codePointAt(0) ?? 0;
      const isCode =
        (point > 0xf020 && point <= 0xf0ff) || (isSymbols && point > 0x20 && point < 0x100 && point !== 0xa0);
      return isCode ? symbolCharacterOf(font, point.toString(16)) : point === 0xf020 ? " " : sign;
    })
    .join("");
}
