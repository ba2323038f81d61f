/** The documents of one run, each with the names it goes by. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Finding } from "#core/lint/finding.ts";
import { configNames } from "../config/find.ts";
import { isInside, pathWithin } from "../workspace.ts";

export interface Root {
  folder: string;
  /** A plain folder has no known top, so the linter doesn't look at files around it. */
  kind: "workspace" | "repository" | "folder";
}

export interface Target {
  /** Absolute; of stdin, where its name would be. */
  file: string;
  root: Root;
  /** Seen from the root, with forward slashes: rules and the cache know the document by it. */
  path: string;
  /** Seen from the working folder: what people click on. */
  shown: string;
  /** The text from stdin; absent for files. */
  text?: string;
  /** The problem if stdin isn't text. */
  unreadable?: Finding;
}

/**
 * Finds the root of each folder: the highest one with a config inside the repository, or else the repository, or else
 * the working folder.
 */
export function createTargets(cwd: string): (file: string, text?: string) => Target {
  const roots = new Map<string, Root>();
  return (file, text) => {
    const folder = dirname(file);
    let root = roots.get(folder);
    if (root === undefined) roots.set(folder, (root = findRoot(folder, cwd)));
    const names = { path: pathWithin(root.folder, file), shown: pathWithin(cwd, file) };
    return text === undefined ? { file, root, ...names } : { file, root, ...names, text };
  };
}

function findRoot(folder: string, cwd: string): Root {
  let workspace: string | null = null;
  for (let at = folder; ; at = dirname(at)) {
    if (configNames.some((name) => existsSync(join(at, name)))) workspace = at;
    const isRepository = existsSync(join(at, ".git"));
    if (isRepository || at === dirname(at)) {
      if (workspace !== null) return { folder: workspace, kind: "workspace" };
      if (isRepository) return { folder: at, kind: "repository" };
      return { folder: isInside(cwd, folder) ? cwd : folder, kind: "folder" };
    }
  }
}

/** Names as the repository has them, for tools that annotate its files. */
export function createRepositoryNames(cwd: string): (target: Target) => string {
  let top = cwd;
  for (let at = cwd; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, ".git"))) {
      top = at;
      break;
    }
  }
  return ({ file }) => pathWithin(top, resolve(cwd, file));
}
