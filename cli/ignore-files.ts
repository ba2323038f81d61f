/** `.gitignore` and `.sopignore` of a folder and the folders above it, up to the root of the workspace. */
import { readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";

const files = [".gitignore", ".sopignore"];
const never = new Set([".git", "node_modules"]);

export type IsIgnored = (path: string, folder: boolean) => boolean;

/** Tests one entry at a time. Callers must test a folder before they enter it. */
export function createIgnore(root: string): IsIgnored {
  const known = new Map<string, Ignore | null>();
  const rulesOf = (folder: string) => {
    let rules = known.get(folder);
    if (rules === undefined) known.set(folder, (rules = readRules(folder)));
    return rules;
  };
  return (path, folder) => {
    if (folder && never.has(path.slice(path.lastIndexOf(sep) + 1))) return true;
    // The nearest file that says something about the path decides, as in git.
    for (let at = dirname(path); ; at = dirname(at)) {
      const verdict = rulesOf(at)?.test(relative(at, path).replaceAll(sep, "/") + (folder ? "/" : ""));
      if (verdict?.ignored) return true;
      if (verdict?.unignored) return false;
      if (at === root || at === dirname(at)) return false;
    }
  };
}

function readRules(folder: string): Ignore | null {
  const texts = files.flatMap((name) => {
    try {
      return [readFileSync(join(folder, name), "utf8")];
    } catch {
      return [];
    }
  });
  return texts.length === 0 ? null : ignore().add(texts.join("\n"));
}
