/** Opens the arguments of an import: files, folders, archives, repositories. */
import { basename, resolve } from "node:path";
import { existsSync, statSync, closeSync, fstatSync, openSync, readSync } from "node:fs";
import { sha256Of } from "../hashing.ts";
import { createSourceTree, readArchive } from "#core/import/archive.ts";
import { createConverter, type Converter } from "#core/import/converter.ts";
import { commonFolderOf } from "#core/import/folders.ts";
import type { SourceFile, SourceTree } from "#core/import/files.ts";
import { sortIntoDocuments, type Layout, type SkippedFile, type SourceDocument } from "#core/import/layouts.ts";
import type { CommandContext } from "../context.ts";
import { failureOf, invalidInputError, type Problem } from "../exit.ts";
import type { LeftOut } from "../left-out.ts";
import { findFiles, withEndings, type WalkedFile } from "../walk.ts";
import { isInsideFolder, pathWithin, projectRootOf } from "../workspace.ts";
import { diskSourceFile, createDiskTree } from "./disk-source.ts";
import { isRepositoryAddress, openGitSource } from "./git-source.ts";
import { refusedRow, type PlanRow } from "./plan.ts";
import { AppError } from "#core/errors.ts";

/** Documents that are converted together, because they can link one another. */
export interface Bundle {
  documents: SourceDocument[];
  converter: Converter;
  /** The given folders, or the top folder of an archive. Folders below them become categories or tags. */
  starts: string[];
}

export interface OpenedSources {
  bundles: Bundle[];
  /** Rows for files that can't be imported. */
  rows: PlanRow[];
  leftOut: LeftOut[];
  close(): Promise<void>;
}

const fileFilter = {
  pattern: /\.(?:mdx?|markdown|docx|html?|zip)$/i,
  only: "only .md, .mdx, .docx, .html and .zip files are read",
  one: "document",
};

/** Pages in Confluence's storage format are XML. */
const confluenceFilter = {
  pattern: /\.(?:mdx?|markdown|docx|html?|xml|zip)$/i,
  only: "only .md, .mdx, .docx, .html, .xml and .zip files are read",
  one: "document",
};

export interface ReadSourcesOptions {
  from: Layout;
  /** Further file endings that count as Markdown. */
  ext: readonly string[];
  /** True if documents will be split at headings, so that a document can be larger than an SOP. */
  split: boolean;
  /** The target folder; its files are not sources, even if a source folder contains it. */
  into: string | null;
}

/**
 * @throws exit 2 for an argument that matches nothing or can't be opened, exit 5 for a repository that can't be fetched
 */
export async function openSources(
  sources: readonly string[],
  reading: ReadSourcesOptions,
  context: CommandContext,
): Promise<OpenedSources> {
  const { from, ext } = reading;
  const closers: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const closer of closers) await closer();
  };
  const opened: OpenedSources = { bundles: [], rows: [], leftOut: [], close };
  try {
    const isRepository = (source: string) =>
      isRepositoryAddress(source) || from === "git" || isBareRepository(source, context.cwd);
    for (const source of sources.filter(isRepository)) {
      const { cwd, signal, out } = context;
      const repository = await openGitSource(source, { cwd, signal, ext, progress: out.progress });
      closers.push(repository.close);
      opened.rows.push(...repository.links.map((path) => refusedRow(symlinkInRepositoryProblem(path), path)));
      addBundle(opened, repository.files, createSourceTree(repository.files), [], reading);
    }
    const paths = sources.filter((source) => !isRepository(source));
    if (paths.length > 0) await openPaths({ ...reading, paths }, context, opened, closers);
    return opened;
  } catch (error) {
    await close();
    throw error;
  }
}

async function openPaths(
  { paths, ...reading }: ReadSourcesOptions & { paths: readonly string[] },
  context: CommandContext,
  opened: OpenedSources,
  closers: (() => void)[],
) {
  const { from, ext, into } = reading;
  const found = await findFiles(
    paths,
    context.cwd,
    withEndings(from === "confluence" ? confluenceFilter : fileFilter, ext),
  );
  // Symbolic links are reported as refused and not also as left out.
  opened.leftOut.push(...found.leftOut.filter(({ reason }) => reason !== "symbolic link"));
  const problems = [...found.links, ...found.refused];
  opened.rows.push(...problems.map((problem) => refusedRow(problem, problem.path ?? "")));
  const named = new Set(paths.map((path) => resolve(context.cwd, path)));
  const isArchive = ({ file }: WalkedFile) => /\.zip$/i.test(file);
  for (const archive of found.files.filter(isArchive)) {
    if (!named.has(archive.file)) {
      const reason = "an archive in a folder is not opened";
      opened.rows.push({ path: archive.path, outcome: "skip", reason, hint: "name it to import it", notes: [] });
      continue;
    }
    try {
      const { files, close } = await openArchive(archive);
      closers.push(close);
      addBundle(opened, files, createSourceTree(files), commonFolderOf(files.map(({ path }) => path)), reading);
    } catch (error) {
      // An archive that can't be opened must not stop the other sources.
      const { problem } = failureOf(error);
      if (problem.code === "bug") throw error;
      opened.rows.push(refusedRow(problem, archive.path));
    }
  }
  const folders = [...named].filter((path) => existsSync(path) && statSync(path).isDirectory());
  const isOwn = ({ file }: WalkedFile) => into !== null && isInsideFolder(into, file) && !named.has(file);
  if (into !== null && named.has(into)) {
    throw invalidInputError("usage", "a folder can't be imported into itself", {
      path: into,
      hint: "--to-dir <another folder>",
    });
  }
  const around = folders.some((folder) => into !== null && isInsideFolder(folder, into));
  const documents = found.files.filter((file) => !isArchive(file) && !(around && isOwn(file)));
  const pages = from === "auto" ? generatedHtmlPages(documents, { named, folders }) : new Set<WalkedFile>();
  const reason = "HTML next to Markdown is not read";
  const hint = "add --from html, or name the file";
  for (const { path } of pages) opened.rows.push({ path, outcome: "skip", reason, hint, notes: [] });
  const files = documents.filter((file) => !pages.has(file));
  for (const [root, group] of groupedByRoot(files, context.cwd)) {
    const inside = folders.filter((folder) => isInsideFolder(root, folder));
    const sources = group.map((file) => diskSourceFile(file, ext));
    addBundle(
      opened,
      sources,
      createDiskTree(root, inside),
      inside.map((folder) => pathWithin(root, folder)),
      reading,
    );
  }
}

/** Finds HTML pages in folders with Markdown. They are the output or templates of a site generator and not imported. */
function generatedHtmlPages(
  files: readonly WalkedFile[],
  { named, folders }: { named: ReadonlySet<string>; folders: readonly string[] },
): Set<WalkedFile> {
  const pages = files.filter(({ file }) => /\.html?$/i.test(file) && !named.has(file));
  if (pages.length === 0) return new Set();
  const homeOf = ({ file }: WalkedFile) => folders.find((folder) => isInsideFolder(folder, file));
  const ofMarkdown = new Set(files.filter(({ file }) => /\.(?:md|markdown)$/i.test(file)).map(homeOf));
  return new Set(pages.filter((page) => ofMarkdown.has(homeOf(page))));
}

function groupedByRoot(files: readonly WalkedFile[], cwd: string): Map<string, WalkedFile[]> {
  const groups = new Map<string, WalkedFile[]>();
  for (const file of files) {
    const root = file.file.slice(0, file.file.length - file.path.length - 1) || projectRootOf(file.file, cwd);
    groups.set(root, [...(groups.get(root) ?? []), file]);
  }
  return groups;
}

function addBundle(
  opened: OpenedSources,
  files: readonly SourceFile[],
  tree: SourceTree,
  starts: string[],
  { from, ext, split }: ReadSourcesOptions,
): void {
  const { documents, leftOut, unread } = sortIntoDocuments(files, from, ext);
  opened.rows.push(...leftOut.map(leftOutRow));
  opened.leftOut.push(...unread);
  opened.bundles.push({ documents, converter: createConverter({ documents, tree, sha256: sha256Of, split }), starts });
}

function leftOutRow({ path, outcome, code, reason, hint }: SkippedFile): PlanRow {
  return { path, outcome, code, reason, hint, notes: [] };
}

function symlinkInRepositoryProblem(path: string): Problem {
  return { code: "symlink", path, message: `${path}: symbolic links and modules are not followed` };
}

/** Says whether a folder is a bare Git repository with a name that ends in `.git`, such as `sops.git`. */
function isBareRepository(source: string, cwd: string): boolean {
  const path = resolve(cwd, source);
  return basename(path).endsWith(".git") && existsSync(resolve(path, "HEAD")) && existsSync(resolve(path, "objects"));
}

interface OpenedArchive {
  files: SourceFile[];
  close(): void;
}

/** @throws exit 2 if the file is a dangerous archive, or no archive of documents */
async function openArchive({ file, path }: WalkedFile): Promise<OpenedArchive> {
  const handle = openSync(file, "r");
  const close = () => closeSync(handle);
  try {
    const { size } = fstatSync(handle);
    const read = (offset: number, length: number) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, offset));
    };
    return { files: await readArchive({ size, read }), close };
  } catch (error) {
    close();
    if (error instanceof AppError) throw invalidInputError(error.code, `${path}: ${error.message}`, { path });
    throw error;
  }
}
