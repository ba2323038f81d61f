/** Finds the folder that a document's path is relative to. */
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

const marks = ["sop.config.yaml", "sop.config.json", ".git"];

/**
 * The folder that paths are relative to: the nearest one above `path` with a `sop.config.yaml` (or `.json`) or `.git`.
 * Without one, the working folder if `path` is in it, or else the folder that contains `path`. So a document has the
 * same path for every way to type it.
 */
export function projectRootOf(path: string, cwd: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (marks.some((mark) => existsSync(join(at, mark)))) return at;
    if (at === dirname(at)) break;
  }
  return isInsideFolder(cwd, path) ? cwd : dirname(path);
}

export function isInsideFolder(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !/^([A-Za-z]:|[\\/])/.test(way));
}

/** The path from the root with forward slashes, on Windows too. */
export function pathWithin(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, "/");
}
