export interface ParseOptions {
  /** True if YAML between two `---` lines at the start is front matter; false if it is text. */
  frontMatter: boolean;
}

/** Recognizes front matter. Parsers differ in other cases, such as TOML or a `---` line without an end. */
export function hasFrontMatter(text: string): boolean {
  return /^\uFEFF?---[ \t]*\r?\n(?:[^]*?\n)?---[ \t]*(?:\r?\n|$)/.test(text);
}
