/** Which files an argument means: a file, a folder (its Markdown files, without what is ignored) or a glob. */
import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { invalid, type Problem } from "./exit.ts";
import { createIgnore, type IsIgnored } from "./ignore-files.ts";
import { isInside, pathWithin, rootOf } from "./workspace.ts";

export interface FoundFile {
  /** Absolute. */
  file: string;
  /** Relative to the workspace, with forward slashes: names the document in every message. */
  path: string;
}

export interface Found {
  files: FoundFile[];
  /** Named files that can't be used. */
  refused: Problem[];
  /** Symbolic links met on the way. */
  links: Problem[];
}

const markdown = /\.(md|markdown)$/i;
const globSigns = /[*?[\]{}!()]/;

/** The files to look for: a pattern of their names, and a word for them. */
export interface FileFilter {
  pattern: RegExp;
  /** The reason for a named file that doesn't fit. */
  only: string;
  one: string;
}

const markdownFiles: FileFilter = {
  pattern: markdown,
  only: "only Markdown files (.md, .markdown) are read",
  one: "Markdown file",
};

/** @throws exit 2 for an argument that matches nothing */
export async function findMarkdown(sources: readonly string[], cwd: string): Promise<Found> {
  return await findFiles(sources, cwd, markdownFiles);
}

/** @throws exit 2 for an argument that matches nothing */
export async function findFiles(sources: readonly string[], cwd: string, filter: FileFilter): Promise<Found> {
  const files = new Map<string, FoundFile>();
  const refused = new Map<string, Problem>();
  const links = new Map<string, Problem>();
  for (const source of sources) {
    const seen = await findSource(source, cwd, filter);
    for (const found of seen.files) files.set(found.file, found);
    for (const problem of seen.refused) refused.set(problem.path ?? "", problem);
    for (const problem of seen.links) links.set(problem.path ?? "", problem);
    if (seen.files.length + seen.refused.length + seen.links.length === 0) throw noMatch(source, filter, seen.ignored);
  }
  return {
    files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
    refused: [...refused.values()],
    links: [...links.values()],
  };
}

interface FoundHere extends Found {
  ignored: number;
}

async function findSource(source: string, cwd: string, filter: FileFilter): Promise<FoundHere> {
  const path = resolve(cwd, source);
  const entry = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (entry === null)
    return globSigns.test(source)
      ? await expandGlob(source, cwd, filter)
      : { files: [], refused: [], links: [], ignored: 0 };
  const root = rootOf(path, cwd);
  if (entry.isDirectory()) return await walkFolder(path, root, filter);
  const shown = pathWithin(root, path);
  if (entry.isSymbolicLink()) return { files: [], refused: [symlink(shown)], links: [], ignored: 0 };
  if (!entry.isFile() || !filter.pattern.test(path))
    return { files: [], refused: [notWanted(shown, filter)], links: [], ignored: 0 };
  return { files: [{ file: path, path: shown }], refused: [], links: [], ignored: 0 };
}

async function walkFolder(folder: string, root: string, filter: FileFilter): Promise<FoundHere> {
  const found: FoundHere = { files: [], refused: [], links: [], ignored: 0 };
  await enter(folder, root, createIgnore(root), found, filter.pattern);
  return found;
}

async function enter(
  folder: string,
  root: string,
  isIgnored: IsIgnored,
  found: FoundHere,
  pattern: RegExp,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    found.refused.push(unreadable(pathWithin(root, folder), error));
    return [];
  });
  for (const entry of entries) {
    const file = join(folder, entry.name);
    const path = pathWithin(root, file);
    // Hidden folders are tools' business.
    if (entry.isDirectory() && entry.name.startsWith(".")) continue;
    if (!entry.isDirectory() && !pattern.test(entry.name) && !(await leadsToFolder(entry, file))) continue;
    if (isIgnored(file, entry.isDirectory())) found.ignored += 1;
    else if (entry.isDirectory()) await enter(file, root, isIgnored, found, pattern);
    else if (entry.isSymbolicLink()) found.links.push(symlink(path));
    else if (entry.isFile()) found.files.push({ file, path });
    else found.refused.push({ code: "not_a_file", path, message: `${path}: not a file` });
  }
}

/** A link to a folder may hide documents; one to anything else but Markdown does not concern us. */
async function leadsToFolder(entry: Dirent, file: string): Promise<boolean> {
  return entry.isSymbolicLink() && (await stat(file).catch(() => null))?.isDirectory() === true;
}

async function expandGlob(pattern: string, cwd: string, filter: FileFilter): Promise<FoundHere> {
  const { glob } = await import("tinyglobby");
  const matches = await glob([pattern], {
    cwd,
    absolute: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    ignore: ["**/node_modules/**", "**/.git/**"],
  });
  const found: FoundHere = { files: [], refused: [], links: [], ignored: 0 };
  for (const match of matches.map((name) => resolve(name)).filter((name) => filter.pattern.test(name))) {
    const root = rootOf(match, cwd);
    if (isIgnoredBelow(match, isInside(root, cwd) ? cwd : root, createIgnore(root))) found.ignored += 1;
    else found.files.push({ file: match, path: pathWithin(root, match) });
  }
  return found;
}

/** Asks about each folder on the way from `top` to the file, then about the file. */
function isIgnoredBelow(file: string, top: string, isIgnored: IsIgnored): boolean {
  const names = pathWithin(top, file).split("/");
  let at = top;
  return names.some((name, index) => {
    at = join(at, name);
    return isIgnored(at, index < names.length - 1);
  });
}

function symlink(path: string): Problem {
  return {
    code: "symlink",
    path,
    message: `${path}: symbolic links are not followed`,
    hint: "name the file or folder it points to",
  };
}

function unreadable(path: string, error: unknown): Problem {
  return { code: "unreadable", path, message: `${path}: the folder can't be read (${(error as Error).message})` };
}

function notWanted(path: string, { only }: FileFilter): Problem {
  return { code: "not_markdown", path, message: `${path}: ${only}` };
}

function noMatch(source: string, { one }: FileFilter, ignored: number) {
  const why = ignored > 0 ? ` but what .gitignore or .sopignore leaves out (${ignored})` : "";
  return invalid("no_match", `${source}: no ${one} matches${why}`, { path: source });
}
