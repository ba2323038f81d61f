/** Parses the values of flags. */
import { InvalidArgumentError } from "commander";

/** The formats of `sop export`. */
export const exportFormats = ["md", "html", "site", "pdf", "docx", "json", "bundle"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The shells with a completion script. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/** Collects the values of a repeatable flag. */
export function collectValues(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** Turns `.mdx,.md.tmpl` into endings in lowercase, each with its dot. */
function parseFileEndings(text: string, before: readonly string[] = []): string[] {
  const endings = text.split(",").map((ending) =>
    ending
      .trim()
      .toLowerCase()
      .replace(/^\*?\.?(?=.)/, "."),
  );
  if (!endings.every((ending) => /^(?:\.[a-z0-9_-]+)+$/.test(ending)))
    throw new InvalidArgumentError("It must be file endings, such as .mdx,.md.tmpl.");
  return [...before, ...endings];
}

/** The `--ext` flag of all commands that read folders. */
export const extFlag = [
  "--ext <endings>",
  "also read files with these endings as Markdown: .mdx,.md.tmpl",
  parseFileEndings,
] as const;

export function parseLanguageTag(text: string): string {
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text))
    throw new InvalidArgumentError("It must be a tag such as en or de-AT.");
  return text;
}

/** Allows at most a day, because timers can't wait longer than some weeks. */
export function parseSeconds(text: string): number {
  const value = parseWholeNumber(text);
  if (value < 1 || value > 86_400) throw new InvalidArgumentError("It must be from 1 to 86400 seconds.");
  return value;
}
