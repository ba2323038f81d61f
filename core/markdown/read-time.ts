const wordsPerMinute = 200;

/**
 * The reading time of a Markdown text in minutes: words / 200, a whole number, at least 1 (`docs/spec/markdown.md`).
 */
export function readingMinutesOf(markdown: string): number {
  const prose = markdown.replace(/<!--[^]*?-->/g, " ").replace(/\]\([^)\s]*\)/g, "] ");
  const words = prose.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.-]*/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / wordsPerMinute));
}
