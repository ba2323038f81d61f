/** Files that come with the program: `templates/`, beside `cli/` in the sources and beside `dist/` in a build. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export function bundledFolder(...names: string[]): string {
  for (let at = import.meta.dirname; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, "templates", "workspace"))) return join(at, "templates", ...names);
  }
  throw new Error("templates/ is missing beside the program");
}

export async function readBundledFile(...names: string[]): Promise<string> {
  return await readFile(bundledFolder(...names), "utf8");
}

/** The texts of a folder of Markdown files, by name without ending. */
export async function readTemplates(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".md")).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return new Map(names.map((name, index) => [name.replace(/\.md$/, ""), texts[index] ?? ""]));
}
