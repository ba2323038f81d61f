/** Reads `.gitignore` and `.sopignore` in a folder and the folders above it, up to the root of the workspace. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { repoFilePath } from "#core/repository/repo-files.ts";

const files = [".gitignore", ".sopignore"] as const;
export type IgnoreFile = (typeof files)[number];
const unlistedFolders = new Set([".git", "node_modules"]);
/** Markdown in a clone of a company's repository that the server writes and that is no SOP. */
const madeByServer = ["/README.md", "/index/"];

/**
 * Returns the file whose rule ignores the path; null if the path isn't ignored. Returns `never` for paths that are left
 * out without a rule and without a report: folders of tools, and files that the server writes.
 */
export type IgnoreCheck = (path: string, folder: boolean) => IgnoreFile | "never" | null;

/** Returns a function that tests one file or folder at a time. Callers must test a folder before they enter it. */
export function createIgnoreCheck(root: string): IgnoreCheck {
  const known = new Map<string, Ignore | null>();
  const readKnownRules = (folder: string) => {
    let rules = known.get(folder);
    if (rules === undefined) known.set(folder, (rules = readRules(folder)));
    return rules;
  };
  return (path, folder) => {
    if (folder && unlistedFolders.has(path.slice(path.lastIndexOf(sep) + 1))) return "never";
    // As in git, the nearest file with a rule for the path decides.
    for (let at = dirname(path); ; at = dirname(at)) {
      const verdict = readKnownRules(at)?.test(relative(at, path).replaceAll(sep, "/") + (folder ? "/" : ""));
      if (verdict?.ignored) return verdict.rule?.mark as IgnoreFile | "never";
      if (verdict?.unignored) return null;
      if (at === root || at === dirname(at)) return null;
    }
  };
}

function readRules(folder: string): Ignore | null {
  const rules: { pattern: string; mark: IgnoreFile | "never" }[] = files.flatMap((mark) => {
    try {
      return readFileSync(join(folder, mark), "utf8")
        .split(/\r?\n/)
        .map((pattern) => ({ pattern, mark }));
    } catch {
      return [];
    }
  });
  if (existsSync(join(folder, repoFilePath))) {
    for (const pattern of madeByServer) rules.unshift({ pattern, mark: "never" });
  }
  return rules.length === 0 ? null : ignore().add(rules);
}
