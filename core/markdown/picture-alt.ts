/** A picture's words and its width stand together where Markdown has one place for both: `![Valve|300](…)`. */
export interface PictureAlt {
  alt: string;
  /** In CSS pixels; null: as wide as it is. */
  width: number | null;
}

/** Widths a reader can make something of. */
export const pictureWidths = { least: 16, most: 2000 } as const;

const sized = /^([^]*?)[ \t]*\|[ \t]*(\d{2,4})$/;

/** What stands between the brackets of a picture → its words and its width. */
export function readAlt(written: string): PictureAlt {
  const [, alt = "", digits = ""] = sized.exec(written) ?? [];
  const width = Number(digits);
  const isWidth = digits !== "" && width >= pictureWidths.least && width <= pictureWidths.most;
  return isWidth ? { alt, width } : { alt: written, width: null };
}

/** The other way round. */
export function writeAlt({ alt, width }: PictureAlt): string {
  return width === null ? alt : `${alt}|${width}`;
}
