export interface ParseOptions {
  /** True if YAML between two `---` lines at the start is front matter; false if it is text. */
  frontMatter: boolean;
}

/**
 * Tells whether a text begins with YAML front matter that all parsers recognize; others, such as TOML, count as text.
 */
export function hasFrontMatter(text: string): boolean {
  return /^\uFEFF?---[ \t]*\r?\n(?:[^]*?\n)?---[ \t]*(?:\r?\n|$)/.test(text);
}
