/** What a draft is made of when no template is about it; shared with the writers' workspaces. */
import { readFile } from "node:fs/promises";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { paths } from "../paths.ts";

/** As the terminal calls it. */
export const plainName = "standard";
export const plainTitle = "Standard procedure";

let text: Promise<string> | null = null;

export function plainMarkdown(): Promise<string> {
  text ??= readFile(paths.plainTemplate, "utf8").then((file) => readMarkdownFile(file).body);
  return text;
}
