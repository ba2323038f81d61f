/** Filters documents by the words of `--only` or by named files: a path, folder, glob, number or id. */
import { matchesGlob, resolve } from "node:path";
import { invalidInputError } from "../exit.ts";
import { isInsideFolder, pathWithin } from "../workspace.ts";

export interface OnlyTarget {
  path: string;
  id?: string | null | undefined;
  number?: string | null | undefined;
}

/** Returns the documents that the words match, or all without a word. @throws exit 2 for a word that matches nothing */
export function filterOnly<T extends OnlyTarget>(
  all: readonly T[],
  only: readonly string[] | undefined,
  { root, cwd }: { root: string; cwd: string },
): T[] {
  if (only === undefined || only.length === 0) return [...all];
  const chosen = new Set<T>();
  for (const word of only) {
    const found = all.filter((one) => matchesTarget(one, word, root, cwd));
    if (found.length === 0) throw invalidInputError("no_match", `${word}: nothing here or on the server matches`);
    for (const one of found) chosen.add(one);
  }
  return all.filter((one) => chosen.has(one));
}

function matchesTarget({ path, id, number }: OnlyTarget, word: string, root: string, cwd: string): boolean {
  const folded = word.toLowerCase();
  if (folded === id?.toLowerCase() || folded === number?.toLowerCase()) return true;
  const full = resolve(cwd, word);
  const within = isInsideFolder(root, full) ? pathWithin(root, full) : word;
  return path === within || path.startsWith(`${within}/`) || within === "" || matchesGlob(path, within);
}
