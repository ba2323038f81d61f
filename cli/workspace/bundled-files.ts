/**
 * Reads files that are part of the program, such as `templates/`. They are beside `cli/` in the sources and beside
 * `dist/` in a build.
 */
import { alertStylesheet } from "#core/markdown/alert-grades.ts";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

export function bundledFolder(...names: string[]): string {
  for (let at = import.meta.dirname; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, "templates", "workspace"))) return join(at, "templates", ...names);
  }
  throw new Error("templates/ is missing beside the program");
}

export async function readBundledFile(...names: string[]): Promise<string> {
  return await readFile(bundledFolder(...names), "utf8");
}

/** Reads the CSS for documents in the HTML pages that commands write. */
export async function readDocumentStyle(): Promise<string> {
  return (await readBundledFile("workspace", "preview", "document.css")) + alertStylesheet();
}

/**
 * Reads all Markdown files in a folder, by path without ending. Pulled templates are in `templates/<category>`.
 */
export async function readTemplates(folder: string): Promise<Map<string, string>> {
  const paths = (await readdir(folder, { recursive: true }).catch(() => [])).filter((path) => path.endsWith(".md"));
  const texts = await Promise.all(paths.sort().map((path) => readFile(join(folder, path), "utf8")));
  return new Map(paths.map((path, at) => [path.replaceAll(sep, "/").replace(/\.md$/, ""), texts[at] ?? ""]));
}
