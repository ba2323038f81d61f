export interface ParseOptions {
  /** Whether YAML between two lines `---` at the start is front matter; else it is text. */
  frontMatter: boolean;
}

/** Parsers differ in what else they take for front matter: TOML, and a line `---` that no other ends. */
export function hasFrontMatter(text: string): boolean {
  return /^\uFEFF?---[ \t]*\r?\n(?:[^]*?\n)?---[ \t]*(?:\r?\n|$)/.test(text);
}
