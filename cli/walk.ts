/** Finds the files that an argument means: a file, a folder (its Markdown files except ignored ones) or a glob. */
import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { imageFilePattern } from "#core/import/image-name.ts";
import { invalidInputError, type Problem } from "./exit.ts";
import { createIgnoreCheck, type IgnoreCheck } from "./ignore-files.ts";
import { leftOutSummary, type LeftOut, type LeftOutReason } from "./left-out.ts";
import { isInsideFolder, pathWithin, projectRootOf } from "./workspace.ts";

export interface WalkedFile {
  /** The absolute path. */
  file: string;
  /** The path from the project root (`projectRootOf`) with forward slashes. Messages name the document by it. */
  path: string;
}

export interface WalkResult {
  files: WalkedFile[];
  /** Named files that can't be used. */
  refused: Problem[];
  /** Symbolic links found in folders. They aren't followed. */
  links: Problem[];
  /** Other files in the folders or globs, sorted by path. */
  leftOut: LeftOut[];
}

const globSigns = /[*?[\]{}!()]/;

/** The files to look for: a pattern of their names, and a word for them. */
export interface FileFilter {
  pattern: RegExp;
  /** The reason to give if a named file doesn't match. */
  only: string;
  /** A word for one such file in messages, such as `document`. */
  one: string;
  hint?: string;
  allowsNone?: boolean;
}

const markdownFiles: FileFilter = {
  pattern: /\.(md|markdown)$/i,
  only: "only Markdown files (.md, .markdown) are read",
  one: "Markdown file",
};

/**
 * Returns the filter extended by the endings of `--ext`.
 * @param more endings such as `.md.tmpl`; undefined if the command has no `--ext`
 */
export function withEndings(filter: FileFilter, more: readonly string[] | undefined): FileFilter {
  if (more === undefined) return filter;
  const endings = more.map((ending) => `|${ending.replaceAll(".", "\\.")}$`).join("");
  const hint = "--ext reads other files as Markdown";
  return { ...filter, pattern: new RegExp(filter.pattern.source + endings, "i"), hint };
}

interface MarkdownToFind {
  /** Further file endings that count as Markdown. */
  ext?: readonly string[] | undefined;
  /** True if an argument may match no files. */
  allowsNone?: boolean;
}

/** @throws exit 2 if an argument matches nothing, unless `allowsNone` is set */
export async function findMarkdown(
  sources: readonly string[],
  cwd: string,
  { ext, allowsNone = false }: MarkdownToFind = {},
): Promise<WalkResult> {
  return await findFiles(sources, cwd, { ...withEndings(markdownFiles, ext), allowsNone });
}

/** @throws exit 2 if an argument matches nothing, unless the filter allows that */
export async function findFiles(sources: readonly string[], cwd: string, filter: FileFilter): Promise<WalkResult> {
  const files = new Map<string, WalkedFile>();
  const refused = new Map<string, Problem>();
  const links = new Map<string, Problem>();
  const leftOut = new Map<string, LeftOutReason>();
  for (const source of sources) {
    const seen = await findFilesOfSource(source, cwd, filter);
    for (const found of seen.files) files.set(found.file, found);
    for (const problem of seen.refused) refused.set(problem.path ?? "", problem);
    for (const problem of seen.links) links.set(problem.path ?? "", problem);
    for (const [file, reason] of seen.leftOut) leftOut.set(file, reason);
    if (filter.allowsNone !== true && seen.files.length + seen.refused.length + seen.links.length === 0)
      throw noMatchError(source, filter, sortedLeftOut(seen.leftOut, cwd));
  }
  // A file can be left out for one argument and named by another; then it is read.
  for (const file of files.keys()) leftOut.delete(file);
  return {
    files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
    refused: [...refused.values()],
    links: [...links.values()],
    leftOut: sortedLeftOut(leftOut, cwd),
  };
}

interface FoundFiles extends Omit<WalkResult, "leftOut"> {
  /** Reasons by absolute path. The path of a folder ends with a separator. */
  leftOut: Map<string, LeftOutReason>;
}

const emptyFoundFiles = (): FoundFiles => ({ files: [], refused: [], links: [], leftOut: new Map() });

function sortedLeftOut(leftOut: ReadonlyMap<string, LeftOutReason>, cwd: string): LeftOut[] {
  return [...leftOut]
    .map(([file, reason]) => ({ path: pathWithin(cwd, file) + (file.endsWith(sep) ? "/" : ""), reason }))
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

async function findFilesOfSource(source: string, cwd: string, filter: FileFilter): Promise<FoundFiles> {
  const path = resolve(cwd, source);
  const entry = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (entry === null) return globSigns.test(source) ? await expandGlob(source, cwd, filter) : emptyFoundFiles();
  const root = projectRootOf(path, cwd);
  if (entry.isDirectory()) return await walkFolder(path, root, filter);
  const name = pathWithin(root, path);
  if (entry.isSymbolicLink()) return { ...emptyFoundFiles(), refused: [symlinkProblem(name)] };
  if (!entry.isFile() || !filter.pattern.test(path))
    return { ...emptyFoundFiles(), refused: [unwantedFileProblem(name, filter)] };
  return { ...emptyFoundFiles(), files: [{ file: path, path: name }] };
}

async function walkFolder(folder: string, root: string, filter: FileFilter): Promise<FoundFiles> {
  const found = emptyFoundFiles();
  const ignoredBy = createIgnoreCheck(root);
  // A named folder is read even if rules in folders above ignore it, just like a named file.
  const isLeftOut = folder !== root && findIgnoreRule(folder, root, ignoredBy, true) !== null;
  await walkFolderEntries(folder, root, isLeftOut ? createIgnoreCheck(folder) : ignoredBy, found, filter.pattern);
  return found;
}

async function walkFolderEntries(
  folder: string,
  root: string,
  ignoredBy: IgnoreCheck,
  found: FoundFiles,
  pattern: RegExp,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    found.refused.push(unreadableFolderProblem(pathWithin(root, folder), error));
    return [];
  });
  for (const entry of entries) {
    const file = join(folder, entry.name);
    const path = pathWithin(root, file);
    if (entry.isDirectory() && entry.name.startsWith(".")) {
      if (!toolFolders.has(entry.name)) found.leftOut.set(file + sep, "hidden");
      continue;
    }
    if (!entry.isDirectory() && !pattern.test(entry.name) && !(await isLinkToFolder(entry, file))) {
      recordOtherFile(file, found);
      continue;
    }
    const rule = ignoredBy(file, entry.isDirectory());
    if (rule !== null) {
      if (rule !== "never") found.leftOut.set(entry.isDirectory() ? file + sep : file, rule);
    } else if (entry.isDirectory()) await walkFolderEntries(file, root, ignoredBy, found, pattern);
    else if (entry.isSymbolicLink()) {
      found.links.push(symlinkProblem(path));
      found.leftOut.set(file, "symbolic link");
    } else if (entry.isFile()) found.files.push({ file, path });
    else found.refused.push({ code: "not_a_file", path, message: `${path}: not a file` });
  }
}

/** Folders of tools, which aren't reported as left out. */
const toolFolders = new Set([".git", ".sop"]);

/**
 * Records a file that the filter doesn't match as left out, except for images, which belong to documents, and hidden
 * files, which belong to tools.
 */
function recordOtherFile(file: string, found: FoundFiles): void {
  const name = basename(file);
  if (!/^(?:\.|sop\.config\.)/.test(name) && !imageFilePattern.test(name)) found.leftOut.set(file, "extension");
}

/**
 * Says whether an entry is a symbolic link to a folder. Such a link is reported, because documents can be behind it.
 */
async function isLinkToFolder(entry: Dirent, file: string): Promise<boolean> {
  return entry.isSymbolicLink() && (await stat(file).catch(() => null))?.isDirectory() === true;
}

async function expandGlob(pattern: string, cwd: string, filter: FileFilter): Promise<FoundFiles> {
  const { glob } = await import("tinyglobby");
  const matches = await glob([pattern], {
    cwd,
    absolute: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    expandDirectories: false,
    ignore: ["**/node_modules/**", "**/.git/**"],
  });
  const found = emptyFoundFiles();
  for (const match of matches.map((name) => resolve(name))) {
    if (!filter.pattern.test(match)) {
      recordOtherFile(match, found);
      continue;
    }
    const root = projectRootOf(match, cwd);
    const rule = findIgnoreRule(match, isInsideFolder(root, cwd) ? cwd : root, createIgnoreCheck(root), false);
    if (rule !== null) {
      if (rule !== "never") found.leftOut.set(match, rule);
    } else found.files.push({ file: match, path: pathWithin(root, match) });
  }
  return found;
}

/** Finds the ignore rule for a path: asks about each folder from `top` to the path, and then about the path. */
function findIgnoreRule(path: string, top: string, ignoredBy: IgnoreCheck, isFolder: boolean): ReturnType<IgnoreCheck> {
  const names = pathWithin(top, path).split("/");
  let at = top;
  for (const [index, name] of names.entries()) {
    at = join(at, name);
    const rule = ignoredBy(at, isFolder || index < names.length - 1);
    if (rule !== null) return rule;
  }
  return null;
}

function symlinkProblem(path: string): Problem {
  return {
    code: "symlink",
    path,
    message: `${path}: symbolic links are not followed`,
    hint: "name the file or folder it points to",
  };
}

function unreadableFolderProblem(path: string, error: unknown): Problem {
  return { code: "unreadable", path, message: `${path}: the folder can't be read (${(error as Error).message})` };
}

function unwantedFileProblem(path: string, { only, hint }: FileFilter): Problem {
  return { code: "not_markdown", path, message: `${path}: ${only}`, ...(hint !== undefined && { hint }) };
}

function noMatchError(source: string, { one }: FileFilter, leftOut: readonly LeftOut[]) {
  const why = leftOut.length > 0 ? ` (${leftOutSummary(leftOut)})` : "";
  return invalidInputError("no_match", `${source}: no ${one} matches${why}`, { path: source });
}
