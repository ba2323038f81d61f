/** Finds the folder that a document's path is relative to. */
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

const rootMarkers = ["sop.config.yaml", "sop.config.json", ".git"];

/**
 * Returns the folder that paths are relative to: the nearest folder, from `path` upwards, with a `sop.config.yaml` (or
 * `.json`) or `.git`, or else the working folder if `path` is in it, or else the folder that contains `path`.
 */
export function projectRootOf(path: string, cwd: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (rootMarkers.some((mark) => existsSync(join(at, mark)))) return at;
    if (at === dirname(at)) break;
  }
  return isInsideFolder(cwd, path) ? cwd : dirname(path);
}

export function isInsideFolder(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !/^([A-Za-z]:|[\\/])/.test(way));
}

/** Returns the path from the root with forward slashes, on Windows too. */
export function pathWithin(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, "/");
}
