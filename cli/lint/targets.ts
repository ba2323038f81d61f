/** Gives each document of a run its paths: absolute, from the root, from the working folder. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Finding } from "#core/lint/finding.ts";
import { configNames } from "../config/find.ts";
import { isInsideFolder, pathWithin } from "../workspace.ts";

export interface LintRoot {
  folder: string;
  /** For a `folder`, which is in neither a workspace nor a repository, the linter reads no neighbors. */
  kind: "workspace" | "repository" | "folder";
}

export interface LintTarget {
  /** The absolute path. For stdin, the path that its name would have. */
  file: string;
  root: LintRoot;
  /** The path from the root with forward slashes. Rules and the cache identify the document by it. */
  path: string;
  /** The path from the working folder, which users can click in a terminal. */
  shown: string;
  /** The text from stdin; absent for files. */
  text?: string;
  /** The finding if stdin isn't text. */
  unreadable?: Finding;
}

/**
 * Returns a function that gives a document its root and paths. The root is the highest folder with a config inside the
 * repository, or else the repository, or else the working folder.
 */
export function createTargetFinder(cwd: string): (file: string, text?: string) => LintTarget {
  const roots = new Map<string, LintRoot>();
  return (file, text) => {
    const folder = dirname(file);
    let root = roots.get(folder);
    if (root === undefined) roots.set(folder, (root = findLintRoot(folder, cwd)));
    const names = { path: pathWithin(root.folder, file), shown: pathWithin(cwd, file) };
    return text === undefined ? { file, root, ...names } : { file, root, ...names, text };
  };
}

function findLintRoot(folder: string, cwd: string): LintRoot {
  let workspace: string | null = null;
  for (let at = folder; ; at = dirname(at)) {
    if (configNames.some((name) => existsSync(join(at, name)))) workspace = at;
    const isRepository = existsSync(join(at, ".git"));
    if (isRepository || at === dirname(at)) {
      if (workspace !== null) return { folder: workspace, kind: "workspace" };
      if (isRepository) return { folder: at, kind: "repository" };
      return { folder: isInsideFolder(cwd, folder) ? cwd : folder, kind: "folder" };
    }
  }
}

/** Returns a function from a target to its path from the top of the repository, for tools that annotate files there. */
export function createRepositoryPathLookup(cwd: string): (target: LintTarget) => string {
  let top = cwd;
  for (let at = cwd; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, ".git"))) {
      top = at;
      break;
    }
  }
  return ({ file }) => pathWithin(top, resolve(cwd, file));
}
