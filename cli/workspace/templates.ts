/** Loads templates for new documents. */
import { join } from "node:path";
import { invalidInputError, type CliError } from "../exit.ts";
import { nearNameHint } from "../suggest.ts";
import { readTemplates, bundledFolder } from "./bundled-files.ts";

/** The name of the default template. */
export const standardTemplateName = "standard";

/** Loads templates by name. A template of the workspace replaces the library's template of the same name. */
export async function loadTemplates(root: string | null): Promise<Map<string, string>> {
  const own = root === null ? [] : await readTemplates(join(root, "templates"));
  const library = await readTemplates(bundledFolder("sops"));
  const usual = await readTemplates(bundledFolder("workspace", "templates"));
  return new Map([...usual, ...library, ...own].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function unknownTemplateError(name: string, known: readonly string[]): CliError {
  return invalidInputError("template", `template ${name} not found${nearNameHint(name, known)}`, {
    hint: `there are ${known.join(", ")}`,
  });
}
