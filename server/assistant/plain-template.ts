/** Reads the template for subjects that no other template fits. Workspaces of authors use it too. */
import { readFile } from "node:fs/promises";
import { readMarkdownFile } from "#core/markdown/read-file.ts";
import { paths } from "../paths.ts";

/** The template's name in the `sop` command. */
export const plainTemplateName = "standard";
export const plainTemplateTitle = "Standard procedure";

let text: Promise<string> | null = null;

export function readPlainTemplate(): Promise<string> {
  text ??= readFile(paths.plainTemplate, "utf8").then((file) => readMarkdownFile(file).body);
  return text;
}
