/** An image's alternative text and width. Markdown has one place for both: `![Valve|300](…)`. */
export interface PictureAlt {
  alt: string;
  /** In CSS pixels; null: as wide as it is. */
  width: number | null;
}

/** Widths a reader can make something of. */
export const pictureWidths = { least: 16, most: 2000 } as const;

/** The text after the last bar. Matched alone, because a text can be very long. */
const sized = /^[ \t]*(\d{2,4})$/;

/** The text between an image's brackets → its alternative text and width. */
export function readAlt(written: string): PictureAlt {
  const bar = written.lastIndexOf("|");
  const width = bar < 0 ? 0 : Number(sized.exec(written.slice(bar + 1))?.[1] ?? 0);
  const isWidth = width >= pictureWidths.least && width <= pictureWidths.most;
  return isWidth ? { alt: written.slice(0, bar).trimEnd(), width } : { alt: written, width: null };
}

/** The other way round. */
export function writeAlt({ alt, width }: PictureAlt): string {
  return width === null ? alt : `${alt}|${width}`;
}
