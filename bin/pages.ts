/** The pages that are made of code: the site, the packed docs and tests take them from here. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { rulesPageMarkdown } from "#core/lint/rules-page.ts";
import { withCommandReference } from "../cli/help/reference.ts";
import { buildProgram } from "../cli/program.ts";
import { createLimitsPage } from "../server/capacity/limits-page.ts";
import { readEvidence, securityTestsPage } from "../test/security-tests.ts";

/** Pages that are whole, by their name in `docs`. */
export const madePages: Readonly<Record<string, () => string>> = {
  "limits.md": createLimitsPage,
  "rules.md": rulesPageMarkdown,
  "security-tests.md": () => securityTestsPage(readEvidence()),
};

/** @param folder a copy of `docs` */
export async function addPages(folder: string): Promise<void> {
  for (const [name, make] of Object.entries(madePages)) await writeFile(path.join(folder, name), make());
  const commands = path.join(folder, "cli.md");
  await writeFile(commands, withCommandReference(await readFile(commands, "utf8"), buildProgram()));
}
