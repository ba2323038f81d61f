/** Reads and writes an image's alternative text and width. Markdown has one place for both: `![Valve|300](…)`. */
export interface ImageAlt {
  alt: string;
  /** The width in CSS pixels; null for the image's own width. */
  width: number | null;
}

/** The allowed widths, in CSS pixels. */
export const imageWidths = { least: 16, most: 2000 } as const;

/** Matches the text after the last bar. The whole text is not matched, because it can be very long. */
const sized = /^[ \t]*(\d{2,4})$/;

/** Reads the alternative text and the width from the text between an image's brackets. */
export function readAlt(written: string): ImageAlt {
  const bar = written.lastIndexOf("|");
  const width = bar < 0 ? 0 : Number(sized.exec(written.slice(bar + 1))?.[1] ?? 0);
  const isWidth = width >= imageWidths.least && width <= imageWidths.most;
  return isWidth ? { alt: written.slice(0, bar).trimEnd(), width } : { alt: written, width: null };
}

/** Writes the text between an image's brackets, from which `readAlt` reads the alternative text and the width. */
export function writeAlt({ alt, width }: ImageAlt): string {
  return width === null ? alt : `${alt}|${width}`;
}
